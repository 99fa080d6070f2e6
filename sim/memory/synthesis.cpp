// SPDX-License-Identifier: Apache-2.0
// Reading of synthesis results, and the choice among those built in.
#include "sim/memory/synthesis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "gen/base/error.hpp"
#include "gen/base/text_file.hpp"
#include "gen/readers/json_document.hpp"
#include "sim/memory/embedded.hpp"

namespace td::sim {

namespace {

constexpr double max_MHz = 1000000;
constexpr double max_pJ = 1000000000;

double positive(const JsonValue& value, double most) {
  const double number = value.number_or_null().value_or(0);
  if (!(number > 0 && number <= most))
    value.fail(fmt::format("a number above 0, at most {}", most));
  return number;
}

}  // namespace

bool Synthesis::is_of(const Config& config) const {
  Config namesake = config;
  namesake.name = name;
  return config_hash_text(namesake) == configuration;
}

Synthesis parse_synthesis(const std::string& text, const std::string& file) {
  const JsonDocument document(text, file, "synthesis");
  const JsonValue root = document.root();
  const auto member = [&root](const std::string& key) { return root.member(key, key); };
  const std::string legal_format = "tensordash-synthesis-2";
  if (member("format").text() != legal_format) member("format").fail(legal_format);
  Synthesis synthesis;
  synthesis.name = member("name").name();
  synthesis.configuration = member("configuration").name();
  synthesis.clock_MHz = positive(member("clock_MHz"), max_MHz);
  synthesis.library = member("library").name();
  synthesis.corner = member("corner").name();
  synthesis.trace = member("trace").name();
  const JsonValue energy = member("energy_pJ_per_cycle");
  const auto energy_of = [&energy](const std::string& tile) {
    return positive(energy.member(tile, energy.field() + "." + tile), max_pJ);
  };
  synthesis.dense_pJ_per_cycle = energy_of("dense");
  synthesis.tile_pJ_per_cycle = energy_of("tile");
  return synthesis;
}

Synthesis load_synthesis(const std::string& path, const Config& config) {
  Synthesis synthesis =
      parse_synthesis(read_text(path, "a readable JSON file of synthesis results"), path);
  if (!synthesis.is_of(config)) {
    throw UserError(path, "configuration", synthesis.configuration,
                    fmt::format("{}, the hash of {}", config_hash_text(config), config.name));
  }
  if (config.is_dense() && synthesis.tile_pJ_per_cycle != synthesis.dense_pJ_per_cycle) {
    throw UserError(path, "energy_pJ_per_cycle.tile",
                    fmt::format("{}", synthesis.tile_pJ_per_cycle),
                    fmt::format("{}, that of the dense tile, as {} is dense",
                                synthesis.dense_pJ_per_cycle, config.name));
  }
  return synthesis;
}

const std::vector<Synthesis>& built_in_syntheses() {
  static const std::vector<Synthesis> results = [] {
    std::vector<Synthesis> read;
    for (const EmbeddedFile& file : syntheses()) {
      read.push_back(parse_synthesis(std::string(file.text), fmt::format("{}.json", file.name)));
    }
    return read;
  }();
  return results;
}

const Synthesis& power_ratio_synthesis(const Config& config) {
  const std::vector<Synthesis>& results = built_in_syntheses();
  const auto own = std::find_if(results.begin(), results.end(),
                                [&](const Synthesis& one) { return one.is_of(config); });
  if (own != results.end()) return *own;
  const std::string paper = config.format == Format::fp32 ? "paper_fp32" : "paper_bf16";
  const auto stand_in = std::find_if(results.begin(), results.end(),
                                     [&](const Synthesis& one) { return one.name == paper; });
  if (stand_in == results.end()) throw std::logic_error(paper + ": no synthesis is built in");
  return *stand_in;
}

}  // namespace td::sim
