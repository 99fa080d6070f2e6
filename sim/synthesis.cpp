// SPDX-License-Identifier: Apache-2.0
// Reading of synthesis results.
#include "sim/synthesis.hpp"

#include <fmt/format.h>

#include "gen/text_file.hpp"
#include "sim/trace_json.hpp"

namespace td::sim {

namespace {

double positive(const JsonValue& value, double most) {
  const double number = value.number_or_null().value_or(0);
  if (!(number > 0 && number <= most))
    value.fail(fmt::format("a number above 0, at most {}", most));
  return number;
}

}  // namespace

Synthesis load_synthesis(const std::string& path, const Config& config) {
  constexpr double max_MHz = 1000000;
  constexpr double max_pJ = 1000000000;
  const std::string text = read_text(path, "a readable JSON file of synthesis results");
  const JsonDocument document(text, path, "synthesis");
  const JsonValue root = document.root();
  const auto member = [&root](const std::string& key) { return root.member(key, key); };
  const std::string legal_format = "tensordash-synthesis-1";
  if (member("format").text() != legal_format) member("format").fail(legal_format);
  if (member("configuration").text() != config_hash_text(config)) {
    member("configuration")
        .fail(fmt::format("{}, the hash of {}", config_hash_text(config), config.name));
  }
  Synthesis synthesis;
  synthesis.clock_MHz = positive(member("clock_MHz"), max_MHz);
  synthesis.library = member("library").name();
  synthesis.corner = member("corner").name();
  const std::string energy = "energy_pJ_per_cycle";
  synthesis.tile_pJ_per_cycle = positive(member(energy).member("tile", energy + ".tile"), max_pJ);
  return synthesis;
}

}  // namespace td::sim
