// SPDX-License-Identifier: Apache-2.0
// Emitted designs: every parameter shows in the Verilog, and the same configuration always gives
// the same bytes.
#include "gen/design.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "gen/embedded.hpp"
#include "gen/error.hpp"
#include "gen/parameters.hpp"
#include "verify/unit/random_config.hpp"

namespace {

using td::Config;
using td::EmittedFile;
using td::Parameter;
using td::ParameterKind;
using Values = std::map<std::string, std::string>;  ///< TOML values by parameter path

Config config_with(const Values& values) {
  std::string text;
  for (const auto& [path, value] : values) text += path + " = " + value + "\n";
  return td::parse_config(text, "test.toml");
}

std::string without_comments(const std::string& text) {
  std::string bare;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find("//"));
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) bare += line + '\n';
  }
  return bare;
}

/// All Verilog without any comment: what tools see.
std::string bare_verilog(const Config& config) {
  std::string bare;
  for (const EmittedFile& file : td::emit_verilog(config)) bare += without_comments(file.text);
  return bare;
}

/// The same of one block, e.g. `pe`.
std::string bare_block(const Config& config, const std::string& block) {
  for (const EmittedFile& file : td::emit_verilog(config)) {
    if (file.name == config.name + "_" + block + ".v") return without_comments(file.text);
  }
  FAIL("no block " << block);
  return "";
}

/// The blocks that do what a parameter says. That a latency elsewhere follows it is not enough.
std::vector<std::string> blocks_of(const std::string& path, bool dense) {
  if (path == "tile.lanes") return {"pe", "tile"};
  if (path == "interconnect.depth" && !dense) return {"intake", "staging", "row", "tile"};
  if (path == "interconnect.pattern") return {"scheduler", "interconnect"};
  if (path == "interconnect.levels") return {"scheduler"};
  if (path == "numerics.format") return {"fp", dense ? "line" : "row"};
  if (path == "numerics.accumulators") return {"pe", "sequencer"};
  if (path == "pipeline.interconnect") return {"interconnect", "sequencer"};
  if (path.rfind("pipeline.", 0) == 0) return {"pe", "sequencer"};
  if (path.rfind("counters.", 0) == 0) return {"counters"};
  return {"tile"};
}

/// Legal values of a parameter, as different as can be. Patterns and levels are for 4 lanes.
std::vector<std::string> legal_values(const Parameter& parameter) {
  std::vector<std::string> values;
  const int least = parameter.minimum;
  const int most = parameter.maximum;
  switch (parameter.kind) {
    case ParameterKind::integer:
      for (int value : {least, least + 1, least + 2, (least + most) / 2, most - 1, most}) {
        const std::string text = std::to_string(value);
        const bool fresh = std::find(values.begin(), values.end(), text) == values.end();
        if (fresh && value >= least && value <= most) values.push_back(text);
      }
      return values;
    case ParameterKind::choice:
      for (const std::string& choice : parameter.choices) values.push_back('"' + choice + '"');
      return values;
    case ParameterKind::boolean:
      return {"true", "false"};
    case ParameterKind::name:
      return {"\"base\"", "\"another\""};
    case ParameterKind::pattern:
      for (const auto& pattern : td::named_patterns()) values.push_back('"' + pattern.name + '"');
      values.insert(values.end(), {"[[0, 0]]", "[[0, 0], [1, 0]]", "[[0, 0], [1, 1], [2, -1]]",
                                   "[[0, 0], [2, -1], [1, 1]]"});
      return values;
    case ParameterKind::levels:
      return {"[[0], [1], [2], [3]]", "[[3], [2], [1], [0]]", "[[1], [0], [2], [3]]"};
  }
  return values;
}

/// With only this parameter changed, every two legal values must give different Verilog, and that
/// in the blocks which the parameter is about.
void check_parameter_shows(Values values, const Parameter& parameter) {
  CAPTURE(parameter.path());
  const bool dense = values.count("tile.scheduling") != 0;
  for (const std::string& block : blocks_of(parameter.path(), dense)) {
    CAPTURE(block);
    std::map<std::string, std::string> value_of;
    for (const std::string& value : legal_values(parameter)) {
      values[parameter.path()] = value;
      const auto other = value_of.emplace(bare_block(config_with(values), block), value);
      CAPTURE(value);
      CAPTURE(other.first->second);
      CHECK(other.second);
    }
    CHECK(value_of.size() >= 2);
  }
}

const Values kSparseBase = {{"name", "\"base\""},
                            {"tile.lanes", "4"},
                            {"tile.rows", "1"},
                            {"tile.columns", "1"},
                            {"interconnect.depth", "3"}};

}  // namespace

TEST_CASE("design: every parameter of a TensorDash tile changes the Verilog") {
  for (const Parameter& parameter : td::parameters()) {
    check_parameter_shows(kSparseBase, parameter);
  }
}

TEST_CASE("design: every parameter of a dense tile changes the Verilog or is refused") {
  Values dense = kSparseBase;
  dense["tile.scheduling"] = "\"dense\"";
  int refused = 0;
  for (const Parameter& parameter : td::parameters()) {
    if (parameter.path() == "tile.scheduling") continue;  // covered above, dense among its values
    if (parameter.applies(config_with(dense))) {
      check_parameter_shows(dense, parameter);
      continue;
    }
    for (const std::string& value : legal_values(parameter)) {
      Values values = dense;
      values[parameter.path()] = value;
      CHECK_THROWS_AS(config_with(values), td::UserError);
      ++refused;
    }
  }
  CHECK(refused == 13);
}

TEST_CASE("design: every number, choice and flag of every preset changes its Verilog") {
  int refused = 0;
  for (const td::EmbeddedFile& preset : td::presets()) {
    const Config config = td::parse_config(preset.text, "preset.toml");
    const std::string before = bare_verilog(config);
    for (const Parameter& parameter : td::parameters()) {
      if (parameter.set == nullptr || parameter.path() == "tile.scheduling") continue;
      if (!parameter.applies(config)) continue;
      const int value = parameter.get(config);
      const int most = parameter.kind == ParameterKind::choice
                           ? static_cast<int>(parameter.choices.size()) - 1
                           : parameter.maximum;
      Config other = config;
      parameter.set(other, value == most ? value - 1 : value + 1);
      other.levels = td::colour_levels(other.places, other.lanes);
      if (other.scheduling == td::Scheduling::two_sided && other.rows * other.columns > 1) {
        CHECK_THROWS_AS(td::parse_config(td::canonical_toml(other), "test.toml"), td::UserError);
        ++refused;
        continue;
      }
      CAPTURE(preset.name);
      CAPTURE(parameter.path());
      CHECK(bare_verilog(td::parse_config(td::canonical_toml(other), "test.toml")) != before);
    }
  }
  CHECK(refused == 2);
}

TEST_CASE("design: the same configuration gives the same bytes") {
  std::mt19937 random(9);
  for (int trial = 0; trial < 12; ++trial) {
    const Config config = td::unit::small_config(random);
    const auto once = td::emit_design(config);
    const auto again = td::emit_design(td::parse_config(td::canonical_toml(config), "again.toml"));
    REQUIRE(once.size() == again.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
      CAPTURE(once[i].name);
      CHECK(once[i].name == again[i].name);
      CHECK(once[i].text == again[i].text);
    }
  }
}
