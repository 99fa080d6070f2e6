// SPDX-License-Identifier: Apache-2.0
// Emitted designs: every parameter shows in the Verilog, and the same configuration always gives
// the same bytes.
#include "gen/design/design.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/configuration/parameters.hpp"
#include "base/configuration/preset.hpp"
#include "base/support/error.hpp"
#include "gen/design/embedded.hpp"
#include "gen/design/top.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::Config;
using td::OutputFile;
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

/// The top without any comment: what tools see.
std::string bare_top(const Config& config) { return without_comments(td::emit_top(config)); }

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

/// With only this parameter changed, every two legal values must give different Verilog.
void check_parameter_shows(Values values, const Parameter& parameter) {
  CAPTURE(parameter.path());
  std::map<std::string, std::string> value_of;
  for (const std::string& value : legal_values(parameter)) {
    values[parameter.path()] = value;
    const auto other = value_of.emplace(bare_top(config_with(values)), value);
    CAPTURE(value);
    CAPTURE(other.first->second);
    CHECK(other.second);
  }
  CHECK(value_of.size() >= 2);
}

const Values kSparseBase = {{"name", "\"base\""},
                            {"tile.lanes", "4"},
                            {"tile.rows", "1"},
                            {"tile.columns", "1"},
                            {"tile.interconnect.depth", "3"}};

}  // namespace

TEST_CASE("design: every parameter of a TensorDash tile changes the Verilog") {
  for (const Parameter& parameter : td::parameters()) {
    if (parameter.is_of_tile()) check_parameter_shows(kSparseBase, parameter);
  }
}

TEST_CASE("design: what stands around a tile changes no file of it") {
  const Config config = config_with(kSparseBase);
  int checked = 0;
  for (const Parameter& parameter : td::parameters()) {
    if (parameter.is_of_tile()) continue;
    ++checked;
    CAPTURE(parameter.path());
    Config other = config;
    parameter.set(other, parameter.minimum);
    const auto files = td::emit_design(config, "rtl");
    const auto others = td::emit_design(other, "rtl");
    REQUIRE(files.size() == others.size());
    for (std::size_t i = 0; i < files.size(); ++i) CHECK(files[i].text == others[i].text);
  }
  CHECK(checked == 9);
}

TEST_CASE("design: every parameter of a dense tile changes the Verilog or is refused") {
  Values dense = kSparseBase;
  dense["tile.scheduling"] = "\"dense\"";
  int refused = 0;
  for (const Parameter& parameter : td::parameters()) {
    if (parameter.path() == "tile.scheduling") continue;  // covered above, dense among its values
    if (!parameter.is_of_tile()) continue;
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
  CHECK(refused == 16);
}

TEST_CASE("design: every number, choice and flag of every preset changes its Verilog") {
  int refused = 0;
  for (const td::EmbeddedFile& preset : td::presets()) {
    const Config config = td::parse_config(preset.text, "preset.toml");
    const std::string before = bare_top(config);
    for (const Parameter& parameter : td::parameters()) {
      if (parameter.set == nullptr || parameter.path() == "tile.scheduling") continue;
      if (!parameter.applies(config) || !parameter.is_of_tile()) continue;
      const int value = parameter.get(config);
      const int most = parameter.kind == ParameterKind::choice
                           ? static_cast<int>(parameter.choices.size()) - 1
                           : parameter.maximum;
      Config other = config;
      parameter.set(other, value == most ? value - 1 : value + 1);
      other.levels = td::colour_levels(other.options, other.lanes);
      if (other.scheduling == td::Scheduling::two_sided && other.rows * other.columns > 1) {
        CHECK_THROWS_AS(td::parse_config(td::canonical_toml(other), "test.toml"), td::UserError);
        ++refused;
        continue;
      }
      CAPTURE(preset.name);
      CAPTURE(parameter.path());
      CHECK(bare_top(td::parse_config(td::canonical_toml(other), "test.toml")) != before);
    }
  }
  CHECK(refused == 2);
}

TEST_CASE("design: the same configuration gives the same bytes") {
  std::mt19937 random(9);
  for (int trial = 0; trial < 12; ++trial) {
    const Config config = td::unit::small_config(random);
    const auto once = td::emit_design(config, "rtl");
    const auto again =
        td::emit_design(td::parse_config(td::canonical_toml(config), "again.toml"), "rtl");
    REQUIRE(once.size() == again.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
      CAPTURE(once[i].name);
      CHECK(once[i].name == again[i].name);
      CHECK(once[i].text == again[i].text);
    }
  }
}

TEST_CASE("design: all but the top is the same in every design that has it") {
  std::map<std::string, std::string> text_of;
  std::vector<Config> configs;
  for (const td::EmbeddedFile& preset : td::presets()) {
    configs.push_back(td::parse_config(preset.text, "preset.toml"));
    configs.push_back(configs.back());
    configs.back().sum = td::Sum::fused;
  }
  configs.push_back(td::unit::config_of("[tile.numerics]\noutput = \"fp8\"\n"));
  for (const Config& config : configs) {
    const bool accelerates = config.name.rfind("accel_", 0) == 0;
    const auto files = accelerates ? td::emit_accelerator_design(config, "folder")
                                   : td::emit_design(config, "folder");
    REQUIRE(files.size() > 10);
    for (const OutputFile& file : files) {
      if (file.name.rfind("td1_", 0) != 0) continue;
      CAPTURE(file.name);
      CHECK(text_of.emplace(file.name, file.text).first->second == file.text);
    }
  }
  // Every file of hw/ is in some preset, or in one with fused sums or results of OFP8.
  CHECK(text_of.size() == td::hardware().size() + td::assertions().size());
}

TEST_CASE("design: what no elaboration of a configuration takes is not in it") {
  for (const td::EmbeddedFile& preset : td::presets()) {
    Config config = td::parse_config(preset.text, "preset.toml");
    for (const td::Sum sum : {td::Sum::tree, td::Sum::fused}) {
      config.sum = sum;
      const bool accelerates = config.name.rfind("accel_", 0) == 0;
      const auto files = accelerates ? td::emit_accelerator_design(config, "folder")
                                     : td::emit_design(config, "folder");
      const auto has = [&](const std::string& block) {
        return std::any_of(files.begin(), files.end(), [&](const OutputFile& file) {
          return file.name == "td1_" + block + ".v";
        });
      };
      CAPTURE(config.name);
      const bool fused = sum == td::Sum::fused;
      for (const char* block : {"fused", "fused_sum", "fused_terms"}) CHECK(has(block) == fused);
      for (const char* block : {"scheduler", "row"}) CHECK(has(block) != config.is_dense());
      for (const char* block : {"dense_intake", "dense_line"})
        CHECK(has(block) == config.is_dense());
      for (const char* block : {"tile", "pe", "adder", "array", "skid"}) CHECK(has(block));
      for (const char* block : {"tile_unit", "store", "read_mux"}) CHECK(has(block) == accelerates);
      const bool unpacks = accelerates && config.accelerator.unpack_rows > 0;
      for (const char* block : {"unpack", "unpack_ring"}) CHECK(has(block) == unpacks);
      CHECK(has("to_bf16") == (accelerates || config.output == td::Format::bf16));
    }
  }
}

TEST_CASE("design: tables of the top by hand") {
  // Five lanes: an offset of -1 is one of 4; levels as given, lane 0 in the low bits.
  const std::string top =
      bare_top(td::unit::config_of("[tile]\nlanes = 5\n[tile.interconnect]\ndepth = 3\n"
                                   "pattern = [[0, 0], [2, -1], [1, 3]]\n"
                                   "levels = [[3], [0], [4], [1], [2]]\n"));
  CHECK(top.find("[23:0] STEP = {8'd1, 8'd2, 8'd0};") != std::string::npos);
  CHECK(top.find("[23:0] OFFSET = {8'd3, 8'd4, 8'd0};") != std::string::npos);
  CHECK(top.find("[39:0] LEVEL = {8'd2, 8'd0, 8'd4, 8'd3, 8'd1};") != std::string::npos);
}
