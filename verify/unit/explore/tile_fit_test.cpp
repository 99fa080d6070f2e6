// SPDX-License-Identifier: Apache-2.0
// Areas and energies of tiles against synthesis, and what is no fit of them.
#include "sim/explore/tile_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>

#include "base/configuration/preset.hpp"
#include "base/support/text_file.hpp"
#include "sim/memory/synthesis.hpp"
#include "verify/unit/base/refusal.hpp"

namespace {

using td::sim::StepEnergy;
using td::sim::StepParts;
using td::sim::TileFit;

constexpr const char* kFit = TD_FITS "/osu018_7ns.json";
constexpr const char* kAreas = TD_OUTPUTS "/measured/explore_areas.txt";

TileFit stored_fit() { return {td::read_text(kFit, "a fit"), kFit}; }

/// The tiles of docs/explore.md: preset -> µm².
std::map<std::string, double> stored_areas() {
  std::istringstream lines(td::read_text(kAreas, "a stored output"));
  std::map<std::string, double> areas;
  std::string name;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    std::string second;
    words >> first >> second;
    if (first == "area") words >> name;  // area of NAME
    if (first != "total") continue;
    second.erase(std::remove(second.begin(), second.end(), ','), second.end());
    areas[name] = std::stod(second);
  }
  return areas;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

void check_refused(const std::string& text, const std::string& said) {
  const std::string message = td::unit::message_of([&] { TileFit(text, "f.json"); });
  CHECK_MESSAGE(message.find(said) != std::string::npos, message);
}

/// The stored fit, but for its energies: numbers that are easily added up.
std::string with_energies(const std::string& sparse_step) {
  std::string text = td::read_text(kFit, "a fit");
  text.erase(text.rfind("\"energies\":"));
  std::string dense, sparse;
  for (const td::sim::StepPart& part : td::sim::kStepParts) {
    const std::string name = std::string("\"") + part.name + "\": ";
    const std::string comma = dense.empty() ? "" : ", ";
    dense += comma + name + "0.5";
    sparse += comma + name + (dense == name + "0.5" ? sparse_step : "{\"1\": 4}");
  }
  return text + "\"energies\": {\"format\": \"bf16\", \"sizes\": {\"lanes\": [16, 16], " +
         "\"depth\": [2, 5], \"options\": [4, 8], \"rows\": [4, 4], \"columns\": [4, 4]}, " +
         "\"left_out_error\": {\"max_percent\": 2.5}, \"dense_pJ\": {" + dense +
         "}, \"sparse_pJ\": {" + sparse + "}}}";
}

}  // namespace

TEST_CASE("area fit: presets, as scripts/ppa synthesised them, within the error that it states") {
  const TileFit fit = stored_fit();
  CHECK(fit.error_percent() < 2);
  const std::map<std::string, double> synthesised = stored_areas();
  CHECK(synthesised.size() == 5);
  for (const auto& [preset, um2] : synthesised) {
    CAPTURE(preset);
    const double estimate = fit.um2(td::find_config(preset, "test"));
    CHECK(100 * std::abs(estimate / um2 - 1) <= fit.error_percent());
  }
}

TEST_CASE("area fit: a tile with other registers, sizes or blocks is a misfit, by name") {
  const TileFit fit = stored_fit();
  const std::string wide4 = td::canonical_toml(td::find_config("wide4_bf16", "test"));
  const auto misfit = [&](const std::string& from, const std::string& to, std::size_t options = 8) {
    const auto found =
        fit.misfit(td::parse_config(replaced(wide4, from, to), "test.toml"), options);
    return found ? found->field + " = " + found->value + ", legal " + found->legal : "";
  };
  CHECK(misfit("", "").empty());
  CHECK(misfit("multiplier = 1", "multiplier = 0") == "tile.pipeline.multiplier = 0, legal 1");
  CHECK(misfit("adder = 2", "adder = 3") == "tile.pipeline.adder = 3, legal 2");
  CHECK(misfit("tree = 1", "tree = 0") == "tile.pipeline.tree = 0, legal 1");
  CHECK(misfit("interconnect = 1", "interconnect = 2") ==
        "tile.pipeline.interconnect = 2, legal 1");
  CHECK(misfit("accumulators = 4", "accumulators = 1") ==
        "tile.numerics.accumulators = 1, legal 4");
  CHECK(misfit("width = 32", "width = 64") == "tile.counters.width = 64, legal 32");
  CHECK(misfit("\"tree\"", "\"fused\"") == "tile.numerics.sum = \"fused\", legal \"tree\"");
  CHECK(misfit("depth = 3", "depth = 7").find("tile.interconnect.depth = 7") == 0);
  CHECK(misfit("", "", 9).find("pattern.options = 9") == 0);
  CHECK(misfit("\"bf16\"", "\"fp16\"").find("tile.numerics.format = fp16") == 0);
}

TEST_CASE("area fit: what is no fit is refused by name") {
  const std::string text = td::read_text(kFit, "a fit");
  check_refused("{}", "f.json: format");
  check_refused(replaced(text, "tensordash-fit-3", "tensordash-fit-2"), "f.json: format");
  check_refused(replaced(text, "rows*columns*lanes", "rows*knobs"), "um2.rows*knobs");
  check_refused(replaced(text, "tile.pipeline.adder", "tile.pipeline.nothing"),
                "parameters.tile.pipeline.adder");
  check_refused(replaced(text, "\"depth\": [", "\"depth\": [1, "), "sizes.depth");
}

TEST_CASE("energy fit: sums of products, of the tile and its dense counterpart") {
  const TileFit fit(with_energies(R"({"1": 1, "depth": 10, "options": 100})"), "f.json");
  const td::Config config = td::find_config("wide4_bf16", "test");
  const StepEnergy energy = fit.energy(config);
  CHECK(energy.dense_step_pJ == 1);
  CHECK(energy.sparse.step == 1 + 10 * 3 + 100 * 8);
  CHECK(energy.sparse.add == 4);
  CHECK(energy.dense.step == 0.5);
  CHECK(energy.zero_gated.pair == 0.5);
  CHECK(fit.energy_error_percent() == 2.5);
}

TEST_CASE("energy fit: other sizes than were measured are a misfit, and no energies are said so") {
  const TileFit fit(with_energies("{}"), "f.json");
  const td::Config config = td::find_config("deep6_bf16", "test");
  CHECK_FALSE(fit.misfit(config, 8));
  CHECK(fit.energy_misfit(config, 8)->field == "tile.interconnect.depth");
  CHECK(fit.energy_misfit(td::find_config("wide4_fp32", "test"), 8)->field ==
        "tile.numerics.format");
  std::string text = with_energies("{}");
  CHECK_FALSE(TileFit(replaced(text, "\"energies\"", "\"energy\""), "f.json").has_energies());
  check_refused(with_energies(R"({"1": "x"})"), "energies.sparse_pJ.step.1");
  check_refused(with_energies(R"({"knobs": 1})"), "energies.sparse_pJ.step.knobs");
  check_refused(replaced(text, "\"format\": \"bf16\", \"sizes\"", "\"sizes\""), "energies.format");
}

TEST_CASE("energy fit: a tile that was not in it, by its own gate-level energies") {
  const TileFit fit = stored_fit();
  const td::Config config = td::find_config("paper_bf16", "test");
  const StepEnergy energy = fit.energy(config);
  const StepEnergy own = td::sim::stand_in_synthesis(config).parts;
  CHECK(fit.energy_error_percent() < 10);
  for (const double share : {0.3, 0.5, 0.7}) {
    CAPTURE(share);
    const StepParts counts{1, 2, share, share, 1, 0, 0.9};
    const double sparse = energy_of(counts, energy.sparse);
    CHECK(sparse ==
          doctest::Approx(own.dense_step_pJ * energy_of(counts, own.sparse)).epsilon(0.1));
  }
}
