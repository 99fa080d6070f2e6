// SPDX-License-Identifier: Apache-2.0
#include "base/configuration/schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/configuration/format.hpp"
#include "base/configuration/parameters.hpp"

namespace td {
namespace {

using Json = nlohmann::ordered_json;

Json integer_json(int minimum, int maximum) {
  return {{"type", "integer"}, {"minimum", minimum}, {"maximum", maximum}};
}

/// Names, or options with (0,0) in front; what depends on lanes and depth is at its widest.
Json pattern_json() {
  Json names = Json::array();
  for (const NamedPattern& pattern : named_patterns()) names.push_back(pattern.name);
  const int most_step = find_parameter("tile.interconnect.depth")->maximum - 1;
  const int most_offset = find_parameter("tile.lanes")->maximum - 1;
  const Json option = {
      {"type", "array"},
      {"prefixItems", {integer_json(1, most_step), integer_json(-most_offset, most_offset)}},
      {"minItems", 2},
      {"maxItems", 2}};
  const Json own_option = {{"const", {0, 0}}};
  const Json options = {{"type", "array"},
                        {"prefixItems", Json::array({own_option})},
                        {"items", option},
                        {"minItems", 1},
                        {"maxItems", kMaximumOptions},
                        {"uniqueItems", true}};
  return {{"oneOf", {{{"enum", names}}, options}}};
}

Json levels_json() {
  const int lanes = find_parameter("tile.lanes")->maximum;
  const Json level = {{"type", "array"},
                      {"items", integer_json(0, lanes - 1)},
                      {"minItems", 1},
                      {"uniqueItems", true}};
  return {{"type", "array"}, {"items", level}, {"minItems", 1}, {"maxItems", lanes}};
}

Json formats_json() {
  Json formats;
  for (const FormatTraits& format : kFormats) {
    formats[format.name] = {{"bits", format.bits()},
                            {"exponent_bits", format.exponent_bits},
                            {"fraction_bits", format.fraction_bits}};
  }
  return formats;
}

/// What is legal, and the default where there is one.
Json value_json(const Parameter& parameter) {
  const Config defaults;
  Json value;
  switch (parameter.kind) {
    case ParameterKind::integer:
      value = integer_json(parameter.minimum, parameter.maximum);
      value["default"] = parameter.get(defaults);
      break;
    case ParameterKind::boolean:
      value = {{"type", "boolean"}, {"default", parameter.get(defaults) != 0}};
      break;
    case ParameterKind::choice:
      value = {{"enum", parameter.choices},
               {"default", parameter.choices[static_cast<std::size_t>(parameter.get(defaults))]}};
      break;
    case ParameterKind::name:
      // Some readers take a line's end at a text's end for it; the second pattern has none.
      value = {{"type", "string"}, {"pattern", kNamePattern}, {"not", {{"pattern", "[^a-z0-9_]"}}}};
      break;
    case ParameterKind::pattern:
      value = pattern_json();
      value["default"] = defaults.pattern;
      break;
    case ParameterKind::levels:
      value = levels_json();
      break;
  }
  return value;
}

Json property_json(const Parameter& parameter) {
  Json property = value_json(parameter);
  property["description"] = parameter.text;
  property["x-legal"] = parameter.legal();
  if (!parameter.unit.empty()) property["x-unit"] = parameter.unit;
  if (!parameter.source.empty()) property["x-source"] = parameter.source;
  if (parameter.sparse_only)
    property["x-absent-when"] = {{"tile.scheduling", {"dense", "zero_gated"}}};
  if (parameter.path() == "tile.numerics.format") property["x-formats"] = formats_json();
  return property;
}

/// The table of that path, which is made where it is not there yet.
Json& table_at(Json& root, const std::string& path) {
  Json* table = &root;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    Json& inner = (*table)["properties"][path.substr(begin, end - begin)];
    if (inner.is_null()) {
      inner = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
    }
    table = &inner;
    begin = end + 1;
  }
  return *table;
}

}  // namespace

std::string emit_schema() {
  Json root = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
               {"title", "TensorDash configuration"},
               {"description", "Rules that compare parameters are checked by tdgen alone."},
               {"type", "object"},
               {"additionalProperties", false},
               {"required", {"name"}},
               {"properties", Json::object()}};
  for (const Parameter& parameter : parameters()) {
    table_at(root, parameter.section)["properties"][parameter.key] = property_json(parameter);
  }
  return root.dump(2) + "\n";
}

}  // namespace td
