// SPDX-License-Identifier: Apache-2.0
// Emitted designs: every parameter shows in the Verilog, and the files beside it tell the truth.
#include "gen/design.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <set>
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
using Json = nlohmann::ordered_json;
using Values = std::map<std::string, std::string>;  ///< TOML values by parameter path

Config config_with(const Values& values) {
  std::string text;
  for (const auto& [path, value] : values) text += path + " = " + value + "\n";
  return td::parse_config(text, "test.toml");
}

Config small_config(std::mt19937& random) {
  td::unit::RandomLimits limits;
  limits.lines = 3;
  return td::unit::random_config(random, limits);
}

/// All Verilog without any comment: what tools see.
std::string bare_verilog(const Config& config) {
  std::string bare;
  for (const EmittedFile& file : td::emit_verilog(config)) {
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line);) {
      line = line.substr(0, line.find("//"));
      line.erase(line.find_last_not_of(' ') + 1);
      if (!line.empty()) bare += line + '\n';
    }
  }
  return bare;
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

/// With only this parameter changed, every two legal values must give different Verilog.
void check_parameter_shows(Values values, const Parameter& parameter) {
  CAPTURE(parameter.path());
  std::map<std::string, std::string> value_of;
  for (const std::string& value : legal_values(parameter)) {
    values[parameter.path()] = value;
    const auto [other, fresh] = value_of.emplace(bare_verilog(config_with(values)), value);
    CAPTURE(value);
    CAPTURE(other->second);
    CHECK(fresh);
  }
  CHECK(value_of.size() >= 2);
}

const Values kSparseBase = {{"name", "\"base\""},
                            {"tile.lanes", "4"},
                            {"tile.rows", "1"},
                            {"tile.columns", "1"},
                            {"interconnect.depth", "3"}};

const EmittedFile& find(const std::vector<EmittedFile>& files, const std::string& name) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const EmittedFile& file) { return file.name == name; });
  REQUIRE_MESSAGE(found != files.end(), name);
  return *found;
}

bool is_verilog(const EmittedFile& file) {
  return file.name.size() > 2 && file.name.compare(file.name.size() - 2, 2, ".v") == 0;
}

std::vector<std::string> verilog_names(const std::vector<EmittedFile>& files) {
  std::vector<std::string> names;
  for (const EmittedFile& file : files) {
    if (is_verilog(file)) names.push_back(file.name);
  }
  return names;
}

/// Name, direction and width of every port in the header of a module.
std::vector<Json> header_ports(const std::string& text) {
  static const std::regex line(
      "^ *(input|output) +wire +(?:\\[([0-9]+):0\\] *)?(\\w+),? *(?://.*)?$");
  std::vector<Json> ports;
  std::istringstream lines(text.substr(text.find("\nmodule ") + 1));
  std::string content;
  std::getline(lines, content);
  while (std::getline(lines, content) && content != ");") {
    std::smatch match;
    REQUIRE_MESSAGE(std::regex_match(content, match, line), content);
    ports.push_back({{"name", match[3].str()},
                     {"direction", match[1].str()},
                     {"width_bits", match[2].matched ? std::stoi(match[2].str()) + 1 : 1}});
  }
  return ports;
}

Json places_json(const std::vector<td::Place>& places) {
  Json list = Json::array();
  for (td::Place place : places) list.push_back(Json::array({place.step, place.offset}));
  return list;
}

void check_manifest(const Config& config, const std::vector<EmittedFile>& files) {
  const Json manifest = Json::parse(find(files, config.name + ".json").text);
  CHECK(manifest["configuration_hash"] == td::config_hash_text(config));
  CHECK(manifest["top"] == config.name + "_tile");
  CHECK(manifest["output_latency_clocks"] == td::output_latency(config));
  CHECK(manifest["places"] == places_json(config.places));
  CHECK(manifest["dropped_places"] == places_json(config.dropped));
  CHECK(manifest["verilog"] == Json(verilog_names(files)));

  std::size_t given = 0;
  for (const Parameter& parameter : td::parameters()) {
    CAPTURE(parameter.path());
    const bool present = manifest["parameters"].contains(parameter.path());
    CHECK(present == parameter.applies(config));
    if (!present) continue;
    ++given;
    const Json expected = parameter.kind == ParameterKind::pattern
                              ? Json(config.pattern)
                              : Json::parse(parameter.value_text(config));
    CHECK(manifest["parameters"][parameter.path()] == expected);
  }
  CHECK(manifest["parameters"].size() == given);
  CHECK(given == (config.is_dense() ? 15U : 17U));

  std::vector<Json> ports = manifest["ports"];
  for (Json& port : ports) {
    CHECK(!port["text"].get<std::string>().empty());
    port.erase("text");
  }
  CHECK(ports.size() == 18);
  CHECK(ports == header_ports(find(files, config.name + "_tile.v").text));
}

void check_file_list(const Config& config, const std::vector<EmittedFile>& files) {
  std::string list;
  bool only_packages = true;
  std::set<std::string> names;
  for (const EmittedFile& file : files) {
    CHECK(names.insert(file.name).second);
    if (!is_verilog(file)) continue;
    list += file.name + '\n';
    CAPTURE(file.name);
    // One module or package in each file, named as the file is.
    const std::string unit = file.name.substr(0, file.name.size() - 2);
    static const std::regex begin("(?:^|\n)(module|package) +(\\w+)");
    std::smatch match;
    REQUIRE(std::regex_search(file.text, match, begin));
    CHECK(match[2] == unit);
    const bool package = match[1] == "package";
    CHECK((only_packages || !package));
    only_packages = package;
    const std::string rest = match.suffix();
    CHECK(!std::regex_search(rest, begin));
    CHECK(file.text.find(td::config_hash_text(config)) != std::string::npos);
  }
  CHECK(!only_packages);
  CHECK(find(files, config.name + ".f").text == list);
  const std::string& core = find(files, config.name + ".core").text;
  for (const std::string& name : verilog_names(files)) {
    CHECK(core.find("- " + name + "\n") != std::string::npos);
  }
  CHECK(find(files, config.name + ".toml").text == td::canonical_toml(config));
}

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
  CHECK(refused == 10);
}

TEST_CASE("design: every number, choice and flag of every preset changes its Verilog") {
  int refused = 0;
  for (const td::EmbeddedFile& preset : td::presets()) {
    const Config config = td::parse_config(preset.text, "preset.toml");
    const std::string before = bare_verilog(config);
    for (const Parameter& parameter : td::parameters()) {
      if (parameter.set == nullptr || parameter.path() == "tile.scheduling") continue;
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
    const Config config = small_config(random);
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

TEST_CASE("design: manifest, file list and configuration, of presets and at random") {
  std::vector<Config> configs;
  for (const td::EmbeddedFile& preset : td::presets()) {
    configs.push_back(td::parse_config(preset.text, "preset.toml"));
  }
  std::mt19937 random(10);
  for (int trial = 0; trial < 12; ++trial) configs.push_back(small_config(random));
  for (const Config& config : configs) {
    CAPTURE(td::canonical_toml(config));
    const auto files = td::emit_design(config);
    CHECK(files.size() == verilog_names(files).size() + 4);
    check_manifest(config, files);
    check_file_list(config, files);
  }
}
