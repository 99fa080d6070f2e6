// SPDX-License-Identifier: Apache-2.0
// Which points no other beats, and areas against synthesis.
#include "sim/explore/objectives.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/configuration/preset.hpp"
#include "base/support/text_file.hpp"
#include "sim/explore/pattern/pattern_search.hpp"
#include "sim/explore/space.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::sim::AreaFit;
using td::sim::Point;
using td::sim::PointObjective;

constexpr const char* kFit = TD_FITS "/osu018_7ns.json";
constexpr const char* kAreas = TD_OUTPUTS "/measured/explore_areas.txt";

AreaFit stored_fit() { return {td::read_text(kFit, "a fit"), kFit}; }

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
  const std::string message = td::unit::message_of([&] { AreaFit(text, "f.json"); });
  CHECK_MESSAGE(message.find(said) != std::string::npos, message);
}

}  // namespace

TEST_CASE("front: exactly the points that no other beats") {
  const std::vector<const PointObjective*> objectives = {
      td::sim::find_point_objective("total_speedup"), td::sim::find_point_objective("levels")};
  REQUIRE(objectives[0]->is_most);
  REQUIRE_FALSE(objectives[1]->is_most);
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    std::vector<Point> points(12);
    for (Point& point : points) {
      point.objectives = {1.0 * td::unit::pick(random, 0, 6), 1.0 * td::unit::pick(random, 0, 6)};
    }
    td::sim::mark_front(objectives, points);
    for (const Point& point : points) {
      bool beaten = false;
      for (const Point& other : points) {
        const bool as_good = other.objectives[0] >= point.objectives[0] &&
                             other.objectives[1] <= point.objectives[1];
        beaten = beaten || (as_good && other.objectives != point.objectives);
      }
      CHECK(point.on_front == !beaten);
    }
  }
}

TEST_CASE("objectives: means over the networks, of compute and of the machine") {
  Point point;
  point.networks.resize(2);
  point.networks[0].found = {2, 1.5, td::sim::MachineFigures{1.25, 1000}};
  point.networks[1].found = {8, 6, td::sim::MachineFigures{5, 4000}};
  const auto value = [&](const char* name) {
    return td::sim::find_point_objective(name)->value(point, nullptr);
  };
  CHECK(value("total_speedup") == doctest::Approx(4));
  CHECK(value("data_speedup") == doctest::Approx(3));
  CHECK(value("memory_speedup") == doctest::Approx(2.5));
  CHECK(value("memory_clocks") == doctest::Approx(2000));
  CHECK(td::sim::find_point_objective("memory_speedup")->is_most);
  CHECK_FALSE(td::sim::find_point_objective("memory_clocks")->is_most);
  CHECK(td::sim::find_point_objective("speed") == nullptr);
}

TEST_CASE("objectives: the machine is simulated for those that need it, and for no others") {
  td::sim::Space space;
  for (const PointObjective& one : td::sim::point_objectives()) {
    CAPTURE(one.name);
    space.objectives = {&one};
    CHECK(space.has_machine() == (std::string(one.name).rfind("memory_", 0) == 0));
  }
  CHECK_FALSE(td::sim::Space().has_machine());
}

TEST_CASE("area fit: presets, as scripts/ppa synthesised them, within the error that it states") {
  const AreaFit fit = stored_fit();
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
  const AreaFit fit = stored_fit();
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
