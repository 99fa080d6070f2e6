// SPDX-License-Identifier: Apache-2.0
// The files beside the Verilog: manifest, file list, core file and configuration tell the truth.
#include "gen/manifest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gen/design.hpp"
#include "gen/embedded.hpp"
#include "gen/parameters.hpp"
#include "verify/unit/random_config.hpp"

namespace {

using td::Config;
using td::EmittedFile;
using td::Parameter;
using td::ParameterKind;
using Json = nlohmann::ordered_json;

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
      R"(^ *(input|output) +wire +(?:\[([0-9]+):0\] *)?(\w+),? *(?://.*)?$)");
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
  CHECK(given == (config.is_dense() ? 14U : 17U));

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

TEST_CASE("manifest: the ports of a tile by hand") {
  // 5 lanes of 16 bits, 3 tile rows, 1 column, depth 5: a row is 80 bits, a side offers five.
  const Config config = td::unit::config_of(
      "[tile]\nlanes = 5\nrows = 3\ncolumns = 1\n[interconnect]\ndepth = 5\n"
      "[numerics]\noutput = \"bf16\"\n[counters]\nwidth = 9\n");
  const std::vector<std::pair<std::string, int>> expected = {{"clk_i", 1},
                                                             {"rst_ni", 1},
                                                             {"dense_i", 1},
                                                             {"a_valid_i", 3},
                                                             {"a_ready_o", 3},
                                                             {"a_rows_i", 400},
                                                             {"b_valid_i", 3},
                                                             {"b_ready_o", 3},
                                                             {"b_rows_i", 1200},
                                                             {"b_last_i", 5},
                                                             {"b_last_of_output_i", 5},
                                                             {"out_valid_o", 1},
                                                             {"out_ready_i", 1},
                                                             {"out_data_o", 48},
                                                             {"out_nonfinite_o", 3},
                                                             {"cycles_o", 9},
                                                             {"stalls_o", 9},
                                                             {"skipped_o", 9}};
  std::vector<std::pair<std::string, int>> ports;
  for (const Json& port : header_ports(find(td::emit_design(config), "t_tile.v").text)) {
    ports.emplace_back(port["name"], port["width_bits"]);
    CHECK(ports.back().first.back() == (port["direction"] == "input" ? 'i' : 'o'));
  }
  CHECK(ports == expected);
}

TEST_CASE("manifest: what it and its companions say, of presets and at random") {
  std::vector<Config> configs;
  for (const td::EmbeddedFile& preset : td::presets()) {
    configs.push_back(td::parse_config(preset.text, "preset.toml"));
  }
  std::mt19937 random(10);
  for (int trial = 0; trial < 12; ++trial) configs.push_back(td::unit::small_config(random));
  for (const Config& config : configs) {
    CAPTURE(td::canonical_toml(config));
    const auto files = td::emit_design(config);
    CHECK(files.size() == verilog_names(files).size() + 4);
    check_manifest(config, files);
    check_file_list(config, files);
  }
}
