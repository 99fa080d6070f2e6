// SPDX-License-Identifier: Apache-2.0
#include "gen/configuration/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace td {
namespace {

bool always(const Config&) { return true; }
bool sparse_only(const Config& config) { return !config.is_dense(); }

Parameter integer(std::string section, std::string key, int minimum, int maximum, std::string unit,
                  std::string text, int Config::*member) {
  return {std::move(section),
          std::move(key),
          ParameterKind::integer,
          minimum,
          maximum,
          {},
          std::move(unit),
          std::move(text),
          [member](const Config& config) { return config.*member; },
          [member](Config& config, int value) { config.*member = value; },
          always};
}

template <typename Enum>
Parameter choice(std::string section, std::string key, std::vector<std::string> choices,
                 std::string text, Enum Config::*member) {
  return {std::move(section),
          std::move(key),
          ParameterKind::choice,
          0,
          0,
          std::move(choices),
          "",
          std::move(text),
          [member](const Config& config) { return static_cast<int>(config.*member); },
          [member](Config& config, int value) { config.*member = static_cast<Enum>(value); },
          always};
}

Parameter other(std::string section, std::string key, ParameterKind kind, std::string text,
                std::function<bool(const Config&)> applies) {
  return {std::move(section), std::move(key), kind, 0, 0, {}, "", std::move(text), nullptr, nullptr,
          std::move(applies)};
}

std::string places_text(const std::vector<Place>& places) {
  std::vector<std::string> items;
  for (Place place : places) items.push_back(fmt::format("[{}, {}]", place.step, place.offset));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string pattern_names() {
  std::vector<std::string> names;
  for (const NamedPattern& pattern : named_patterns()) names.push_back(pattern.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<Parameter> build_table() {
  std::vector<Parameter> table;
  table.push_back(other(
      "", "name", ParameterKind::name,
      "of the design: its top is NAME_tile, and NAME is in front of its other files", always));
  table.push_back(integer("tile", "lanes", 2, 64, "multipliers",
                          "lanes of a PE: the pairs of one row", &Config::lanes));
  table.push_back(integer("tile", "rows", 1, 16, "PEs",
                          "PE rows; each shares a side B stream and its scheduler", &Config::rows));
  table.push_back(integer("tile", "columns", 1, 16, "PEs",
                          "PE columns; each shares a side A stream", &Config::columns));
  table.push_back(
      choice("tile", "scheduling", {"one_sided", "two_sided", "dense"},
             "which pairs are dropped: side B zero; either side zero (1 row, 1 column); "
             "none (the baseline)",
             &Config::scheduling));
  table.push_back(integer("interconnect", "depth", 1, 8, "rows",
                          "rows a staging buffer looks at, and rows a side can accept per clock",
                          &Config::depth));
  table.push_back(other("interconnect", "pattern", ParameterKind::pattern,
                        "places a lane may take its pair from, in order of priority; not for dense",
                        sparse_only));
  table.push_back(other("interconnect", "levels", ParameterKind::levels,
                        "lanes that choose at once, level by level; default: the conflict graph "
                        "coloured first-fit; not for dense",
                        sparse_only));
  table.push_back(choice("numerics", "format", {"fp32", "bf16", "fp16"}, "format of the operands",
                         &Config::format));
  table.push_back(choice("numerics", "output", {"fp32", "bf16"},
                         "format of the results; sums are always binary32", &Config::output));
  table.push_back(integer("numerics", "accumulators", 1, 8, "registers",
                          "partial accumulators that take the sums in turn; min(this, 4) - 1 "
                          "registers stand inside the accumulator's adder",
                          &Config::accumulators));
  Parameter multiplexed =
      integer("pipeline", "interconnect", 0, 2, "registers",
              "behind the operand multiplexers; not for dense", &Config::interconnect_registers);
  multiplexed.applies = sparse_only;
  table.push_back(std::move(multiplexed));
  table.push_back(integer("pipeline", "multiplier", 0, 2, "registers", "inside each multiplier",
                          &Config::multiplier_registers));
  table.push_back(integer("pipeline", "adder", 0, 3, "registers", "inside each adder of the trees",
                          &Config::adder_registers));
  table.push_back(integer("pipeline", "tree", 0, 2, "registers",
                          "in front of every level of adders, the accumulator's included",
                          &Config::tree_registers));
  table.push_back(integer("counters", "width", 8, 64, "bits", "of each performance counter",
                          &Config::counter_width));
  Parameter wrap = integer("counters", "wrap", 0, 1, "",
                           "a full counter starts again at zero (true) or stays full (false)",
                           &Config::counter_wrap);
  wrap.kind = ParameterKind::boolean;
  table.push_back(std::move(wrap));
  return table;
}

}  // namespace

std::string Parameter::legal() const {
  switch (kind) {
    case ParameterKind::integer:
      return fmt::format("{}..{}{}{}", minimum, maximum, unit.empty() ? "" : " ", unit);
    case ParameterKind::choice:
      return fmt::format("one of {}", fmt::join(choices, ", "));
    case ParameterKind::boolean:
      return "true or false";
    case ParameterKind::name:
      return "1..32 of a-z, 0-9 and _, starting with a letter";
    case ParameterKind::pattern:
      return fmt::format(
          "one of {}; or [[step, offset], ...]: [0, 0] first, then up to 63 different "
          "places, step 1..depth-1, offset within -(lanes-1)..lanes-1",
          pattern_names());
    case ParameterKind::levels:
      return "[[lane, ...], ...]: every lane once, lanes of one level reaching no common element";
  }
  return "";
}

std::string Parameter::value_text(const Config& config) const {
  switch (kind) {
    case ParameterKind::integer:
      return fmt::format("{}", get(config));
    case ParameterKind::choice:
      return fmt::format("\"{}\"", choices[static_cast<std::size_t>(get(config))]);
    case ParameterKind::boolean:
      return get(config) != 0 ? "true" : "false";
    case ParameterKind::name:
      return fmt::format("\"{}\"", config.name);
    case ParameterKind::pattern:
      return find_pattern(config.pattern) != nullptr ? fmt::format("\"{}\"", config.pattern)
                                                     : places_text(config.places);
    case ParameterKind::levels:
      return fmt::format("{}", config.levels);
  }
  return "";
}

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> table = build_table();
  return table;
}

const Parameter* find_parameter(std::string_view path) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.path() == path) return &parameter;
  }
  return nullptr;
}

}  // namespace td
