// SPDX-License-Identifier: Apache-2.0
#include "gen/design/manifest.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/configuration/parameters.hpp"
#include "base/support/version.hpp"
#include "gen/design/names.hpp"
#include "gen/design/ports.hpp"
#include "gen/design/top.hpp"

namespace td {
namespace {

using Json = nlohmann::ordered_json;

Json options_json(const std::vector<Option>& options) {
  Json list = Json::array();
  for (Option option : options) list.push_back({option.step, option.offset});
  return list;
}

Json value_json(const Parameter& parameter, const Config& config) {
  switch (parameter.kind) {
    case ParameterKind::integer:
      return parameter.get(config);
    case ParameterKind::boolean:
      return parameter.get(config) != 0;
    case ParameterKind::choice:
      return parameter.choices[static_cast<std::size_t>(parameter.get(config))];
    case ParameterKind::name:
      return config.name;
    case ParameterKind::pattern:
      return config.pattern;
    case ParameterKind::levels:
      return config.levels;
  }
  return nullptr;
}

Json format_json(Format format) {
  return {{"format", to_string(format)},
          {"bits", width(format)},
          {"exponent_bits", exponent_bits(format)},
          {"fraction_bits", fraction_bits(format)}};
}

Json sizes_json(const Config& config) {
  Json sizes;
  for (const Size& size : tile_sizes(config)) {
    sizes[size.name] = {{"parameter", size.path},
                        {"default", size.value},
                        {"minimum", size.minimum},
                        {"maximum", size.maximum}};
  }
  return sizes;
}

Json ports_json(const Config& config) {
  Json list = Json::array();
  for (const Port& port : tile_ports(config)) {
    list.push_back({{"name", port.name},
                    {"direction", port.direction == Direction::input ? "input" : "output"},
                    {"bits", port.formula()},
                    {"text", port.text}});
  }
  return list;
}

Json instances_json(const Config& config) {
  Json list;
  for (const Instance& instance : instances(config)) {
    list[instance.name] = {{"module", instance.module}, {"path", instance.path}};
  }
  return list;
}

Json probes_json(const Config& config) {
  Json list;
  for (const Probe& probe : probes(config)) {
    list[probe.name] = {
        {"instance", probe.instance}, {"signal", probe.signal}, {"bits", probe.bits}};
  }
  return list;
}

}  // namespace

std::string emit_manifest(const Config& config, const std::vector<OutputFile>& verilog,
                          const std::vector<OutputFile>& assertions) {
  Json manifest;
  manifest["format"] = kManifestFormat;
  manifest["generator"] = fmt::format("tdgen {}", kGeneratorVersion);
  manifest["generation"] = kGeneration;
  manifest["configuration_hash"] = config_hash_text(config);
  manifest["top"] = top_name(config);
  for (const Parameter& parameter : parameters()) {
    if (parameter.applies(config) && parameter.is_of_tile()) {
      manifest["parameters"][parameter.path()] = value_json(parameter, config);
    }
  }
  manifest["operand"] = format_json(config.format);
  manifest["result"] = format_json(config.output);
  manifest["result"]["bits"] = output_width(config);
  manifest["options"] = options_json(config.options);
  manifest["dropped_options"] = options_json(config.dropped);
  manifest["output_latency_clocks"] = output_latency(config);
  manifest["sizes"] = sizes_json(config);
  manifest["ports"] = ports_json(config);
  for (const OutputFile& file : verilog) manifest["verilog"].push_back(file.name);
  for (const OutputFile& file : assertions) manifest["assertions"].push_back(file.name);
  manifest["instances"] = instances_json(config);
  manifest["probes"] = probes_json(config);
  return manifest.dump(2) + "\n";
}

}  // namespace td
