// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a configuration, and what must hold for one that is accepted.
#include <set>
#include <string>
#include <string_view>

#include "base/configuration/config.hpp"
#include "base/configuration/parameters.hpp"
#include "base/support/error.hpp"
#include "gen/design/design.hpp"
#include "verify/fuzz/target.hpp"

namespace td::verify {

namespace {

void check_ranges(const Config& config) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.kind != ParameterKind::integer) continue;
    const int value = parameter.get(config);
    must(parameter.minimum <= value && value <= parameter.maximum, parameter.path() + " in range");
  }
}

/// What keeps row 0 certain to empty, and every reach inside the window.
void check_options(const Config& config) {
  must(!config.options.empty() && config.options[0] == Option{0, 0}, "(0,0) is the first option");
  must(config.options.size() <= 64, "at most 64 options");
  std::set<std::pair<int, int>> reached;
  for (const Option option : config.options) {
    must(option.step < config.depth, "options lie inside the window");
    must(option.step > 0 || option.offset == 0, "(0,0) is the only option of step 0");
    const bool fresh = reached.insert({option.step, source_lane(0, option, config.lanes)}).second;
    must(fresh, "options differ");
  }
}

void check_levels(const Config& config) {
  std::set<int> lanes;
  for (const Level& level : config.levels) {
    for (std::size_t i = 0; i < level.size(); ++i) {
      must(level[i] >= 0 && level[i] < config.lanes, "levels have lanes that exist");
      must(lanes.insert(level[i]).second, "every lane is in one level");
      for (std::size_t j = 0; j < i; ++j) {
        must(!lanes_conflict(level[i], level[j], config.options, config.lanes),
             "lanes of a level do not conflict");
      }
    }
  }
  must(lanes.size() == static_cast<std::size_t>(config.lanes), "every lane is in a level");
}

/// The canonical text is a fixed point: it parses back to the same design.
void check_round_trip(const Config& config) {
  const std::string text = canonical_toml(config);
  try {
    const Config again = parse_config(text, kInputName);
    must(canonical_toml(again) == text, "the canonical text parses back to itself");
    must(config_hash(again) == config_hash(config), "so does its hash");
    must(again.options == config.options && again.levels == config.levels, "so does its pattern");
  } catch (const UserError& error) {
    must(false, std::string("the canonical text is accepted: ") + error.what());
  }
}

/// Emitting is slow for large tiles, and the emitter sees nothing in them that small ones lack.
void check_design(const Config& config) {
  const std::size_t options = config.options.size();
  if (config.lanes * config.rows * config.columns > 16 || options > 8) return;
  std::set<std::string> names;
  for (const OutputFile& file : emit_design(config, "rtl")) {
    must(names.insert(file.name).second, "emitted files differ in name");
    check_printable(file.name, "the name of an emitted file");
    must(!file.text.empty(), "emitted files have a text");
  }
}

void check(std::string_view text) {
  const Config config = parse_config(text, kInputName);
  check_ranges(config);
  if (!config.is_dense()) {
    check_options(config);
    check_levels(config);
  }
  check_round_trip(config);
  check_design(config);
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return td::verify::judge([&] { td::verify::check(td::verify::text_of(data, size)); });
}
