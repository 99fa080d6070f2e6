// SPDX-License-Identifier: Apache-2.0
// The files beside the Verilog: manifest, file list, core file and configuration tell the truth.
#include "gen/design/manifest.hpp"

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

#include "base/configuration/parameters.hpp"
#include "base/configuration/preset.hpp"
#include "gen/design/design.hpp"
#include "gen/design/ports.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::Config;
using td::OutputFile;
using td::Parameter;
using td::ParameterKind;
using Json = nlohmann::ordered_json;

const OutputFile& find(const std::vector<OutputFile>& files, const std::string& name) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const OutputFile& file) { return file.name == name; });
  REQUIRE_MESSAGE(found != files.end(), name);
  return *found;
}

bool has_suffix(const OutputFile& file, const std::string& suffix) {
  return file.name.size() > suffix.size() &&
         file.name.compare(file.name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

std::vector<std::string> names_with(const std::vector<OutputFile>& files,
                                    const std::string& suffix) {
  std::vector<std::string> names;
  for (const OutputFile& file : files) {
    if (has_suffix(file, suffix)) names.push_back(file.name);
  }
  return names;
}

/// Name, direction and width of every port in the header of a module.
std::vector<Json> header_ports(const std::string& text) {
  static const std::regex line(R"(^ *(input|output) +wire +(?:\[ *([^:]+):0\] *)?(\w+),?$)");
  std::vector<Json> ports;
  std::istringstream lines(text.substr(text.find("\n) (\n") + 5));
  for (std::string content; std::getline(lines, content) && content != ");";) {
    std::smatch match;
    REQUIRE_MESSAGE(std::regex_match(content, match, line), content);
    std::string bits = "1";
    if (match[2].matched) {
      const std::string high = match[2];
      const bool product = high.find("-1") == high.size() - 2 && high.size() > 2;
      bits = product ? high.substr(0, high.size() - 2) : std::to_string(std::stoi(high) + 1);
    }
    ports.push_back({{"name", match[3].str()}, {"direction", match[1].str()}, {"bits", bits}});
  }
  return ports;
}

Json options_json(const std::vector<td::Option>& options) {
  Json list = Json::array();
  for (td::Option option : options) list.push_back(Json::array({option.step, option.offset}));
  return list;
}

/// Every name leads to an instance that the manifest has, and every path begins in the top.
void check_names(const Json& manifest) {
  CHECK(manifest["instances"].size() > 10);
  for (const auto& [name, instance] : manifest["instances"].items()) {
    CAPTURE(name);
    CHECK(instance["path"].get<std::string>().rfind("u_tile", 0) == 0);
    CHECK(instance["module"].get<std::string>().rfind("td1_", 0) == 0);
  }
  CHECK(manifest["probes"].size() > 8);
  for (const auto& [name, probe] : manifest["probes"].items()) {
    CAPTURE(name);
    CHECK(manifest["instances"].contains(probe["instance"].get<std::string>()));
  }
}

void check_manifest(const Config& config, const std::vector<OutputFile>& files) {
  const Json manifest = Json::parse(find(files, config.name + ".json").text);
  CHECK(manifest["configuration_hash"] == td::config_hash_text(config));
  CHECK(manifest["format"] == "tensordash-design-3");
  CHECK(manifest["operand"]["format"] == td::to_string(config.format));
  CHECK(manifest["operand"]["bits"] == td::width(config.format));
  CHECK(manifest["operand"]["exponent_bits"] == td::exponent_bits(config.format));
  CHECK(manifest["operand"]["fraction_bits"] == td::fraction_bits(config.format));
  CHECK(manifest["result"]["bits"] == td::output_width(config));
  CHECK(manifest["top"] == config.name + "_tile");
  CHECK(manifest["output_latency_clocks"] == td::output_latency(config));
  CHECK(manifest["options"] == options_json(config.options));
  CHECK(manifest["dropped_options"] == options_json(config.dropped));
  CHECK(manifest["verilog"] == Json(names_with(files, ".v")));
  CHECK(manifest["assertions"] == Json(names_with(files, ".sv")));

  std::size_t given = 0;
  for (const Parameter& parameter : td::parameters()) {
    CAPTURE(parameter.path());
    const bool present = manifest["parameters"].contains(parameter.path());
    CHECK(present == (parameter.applies(config) && parameter.is_of_tile()));
    if (!present) continue;
    ++given;
    const Json expected = parameter.kind == ParameterKind::pattern
                              ? Json(config.pattern)
                              : Json::parse(parameter.value_text(config));
    CHECK(manifest["parameters"][parameter.path()] == expected);
  }
  CHECK(manifest["parameters"].size() == given);
  CHECK(given == (config.is_dense() ? 15U : 19U));

  std::vector<Json> ports = manifest["ports"];
  for (Json& port : ports) {
    CHECK(!port["text"].get<std::string>().empty());
    port.erase("text");
  }
  CHECK(ports.size() == 18U + (config.format == td::Format::fp8 ? 2 : 0) +
                            (config.output == td::Format::fp8 ? 5 : 0));
  CHECK(ports == header_ports(find(files, config.name + "_tile.v").text));
  check_names(manifest);
}

void check_file_list(const Config& config, const std::vector<OutputFile>& files) {
  std::string list;
  std::string assertions;
  std::set<std::string> names;
  for (const OutputFile& file : files) {
    CHECK(names.insert(file.name).second);
    const bool verilog = has_suffix(file, ".v");
    if (!verilog && !has_suffix(file, ".sv")) continue;
    (verilog ? list : assertions) += "/some/where/" + file.name + '\n';
    CAPTURE(file.name);
    // One module in each file, named as the file is.
    static const std::regex begin("(?:^|\n)module +(\\w+)");
    std::smatch match;
    REQUIRE(std::regex_search(file.text, match, begin));
    CHECK(match[1] == file.name.substr(0, file.name.rfind('.')));
    const std::string rest = match.suffix();
    CHECK(!std::regex_search(rest, begin));
    CHECK(file.text.find("SPDX-License-Identifier: 0BSD\n") != std::string::npos);
  }
  CHECK(find(files, config.name + ".f").text == list);
  CHECK(find(files, config.name + "_assert.f").text == assertions);
  const std::string& core = find(files, config.name + ".core").text;
  for (const std::string& name : names_with(files, "v")) {
    CHECK(core.find("- " + name + "\n") != std::string::npos);
  }
  CHECK(find(files, config.name + ".toml").text == td::tile_toml(config));
  CHECK(find(files, config.name + ".sdc").text.find("create_clock") != std::string::npos);
  CHECK(find(files, config.name + "_tile.v").text.find(td::config_hash_text(config)) !=
        std::string::npos);
}

}  // namespace

TEST_CASE("manifest: the ports of a tile by hand") {
  // 5 lanes of 16 bits, 3 tile rows, 1 column, depth 5: a row is 80 bits, a side offers five.
  const Config config = td::unit::config_of(
      "[tile]\nlanes = 5\nrows = 3\ncolumns = 1\n[tile.interconnect]\ndepth = 5\n"
      "[tile.numerics]\noutput = \"bf16\"\n[tile.counters]\nwidth = 9\n");
  struct Wanted {
    std::string name;
    std::string formula;
    int bits;
  };
  const std::vector<Wanted> wanted = {{"clk_i", "1", 1},
                                      {"rst_ni", "1", 1},
                                      {"dense_i", "1", 1},
                                      {"a_valid_i", "3", 3},
                                      {"a_ready_o", "3", 3},
                                      {"a_rows_i", "400*COLUMNS", 400},
                                      {"b_valid_i", "3", 3},
                                      {"b_ready_o", "3", 3},
                                      {"b_rows_i", "400*ROWS", 1200},
                                      {"b_last_i", "5", 5},
                                      {"b_last_of_output_i", "5", 5},
                                      {"out_valid_o", "1", 1},
                                      {"out_ready_i", "1", 1},
                                      {"out_data_o", "16*ROWS*COLUMNS", 48},
                                      {"out_nonfinite_o", "ROWS*COLUMNS", 3},
                                      {"cycles_o", "COUNTER_WIDTH", 9},
                                      {"stalls_o", "COUNTER_WIDTH", 9},
                                      {"skipped_o", "COUNTER_WIDTH", 9}};
  const auto described = td::tile_ports(config);
  const auto ports = header_ports(find(td::emit_verilog(config), "t_tile.v").text);
  REQUIRE(ports.size() == wanted.size());
  REQUIRE(described.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(wanted[i].name);
    CHECK(ports[i]["name"] == wanted[i].name);
    CHECK(ports[i]["bits"] == wanted[i].formula);
    CHECK(described[i].bits(config) == wanted[i].bits);
    CHECK(wanted[i].name.back() == (ports[i]["direction"] == "input" ? 'i' : 'o'));
  }
}

TEST_CASE("manifest: a tile of OFP8 has eight bits an operand and a result, and their formats") {
  const Config config = td::unit::config_of(
      "[tile]\nlanes = 5\nrows = 3\ncolumns = 1\n[tile.interconnect]\ndepth = 5\n"
      "[tile.numerics]\nformat = \"fp8\"\noutput = \"fp8\"\n");
  const std::vector<Json> ports = header_ports(find(td::emit_verilog(config), "t_tile.v").text);
  const auto bits = [&](const char* name) {
    for (const Json& port : ports) {
      if (port["name"] == name) return port["bits"].get<std::string>();
    }
    return std::string("none");
  };
  CHECK(bits("a_rows_i") == "200*COLUMNS");
  CHECK(bits("b_rows_i") == "200*ROWS");
  CHECK(bits("a_e5m2_i") == "5");
  CHECK(bits("b_e5m2_i") == "5");
  CHECK(bits("out_data_o") == "8*ROWS*COLUMNS");
  CHECK(bits("out_scale_i") == "9");
  CHECK(bits("out_overflow_o") == "ROWS*COLUMNS");
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
    const auto files = td::emit_design(config, "/some/where");
    CHECK(files.size() == names_with(files, "v").size() + 6);
    check_manifest(config, files);
    check_file_list(config, files);
  }
}
