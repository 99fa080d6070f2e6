// SPDX-License-Identifier: Apache-2.0
#include "base/configuration/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace td {
namespace {

Parameter named(std::string section, std::string key, ParameterKind kind, std::string text) {
  Parameter parameter;
  parameter.section = std::move(section);
  parameter.key = std::move(key);
  parameter.kind = kind;
  parameter.text = std::move(text);
  return parameter;
}

Parameter integer(std::string section, std::string key, int minimum, int maximum, std::string unit,
                  std::string text, int Config::*member) {
  Parameter parameter =
      named(std::move(section), std::move(key), ParameterKind::integer, std::move(text));
  parameter.minimum = minimum;
  parameter.maximum = maximum;
  parameter.unit = std::move(unit);
  parameter.get = [member](const Config& config) { return config.*member; };
  parameter.set = [member](Config& config, int value) { config.*member = value; };
  return parameter;
}

/// A size of what stands around the tiles; `table` is empty or one of accelerator's.
Parameter size(const std::string& table, std::string key, int minimum, int maximum,
               std::string unit, std::string text, std::string source,
               std::int64_t Accelerator::*member) {
  Parameter parameter =
      integer(table.empty() ? "accelerator" : "accelerator." + table, std::move(key), minimum,
              maximum, std::move(unit), std::move(text), nullptr);
  parameter.source = std::move(source);
  parameter.get = [member](const Config& config) {
    return static_cast<int>(config.accelerator.*member);
  };
  parameter.set = [member](Config& config, int value) { config.accelerator.*member = value; };
  return parameter;
}

template <typename Enum>
Parameter choice(std::string section, std::string key, std::vector<std::string> choices,
                 std::string text, Enum Config::*member) {
  Parameter parameter =
      named(std::move(section), std::move(key), ParameterKind::choice, std::move(text));
  parameter.choices = std::move(choices);
  parameter.get = [member](const Config& config) { return static_cast<int>(config.*member); };
  parameter.set = [member](Config& config, int value) {
    config.*member = static_cast<Enum>(value);
  };
  return parameter;
}

Parameter of_sparse(Parameter parameter) {
  parameter.sparse_only = true;
  return parameter;
}

std::vector<std::string> format_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.emplace_back(kFormats[i].name);
  return names;
}

std::string options_text(const std::vector<Option>& options) {
  std::vector<std::string> items;
  for (Option option : options)
    items.push_back(fmt::format("[{}, {}]", option.step, option.offset));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string pattern_names() {
  std::vector<std::string> names;
  for (const NamedPattern& pattern : named_patterns()) names.push_back(pattern.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_tile(std::vector<Parameter>& table) {
  table.push_back(integer("tile", "lanes", 2, 64, "multipliers",
                          "lanes of a PE: the pairs of one row", &Config::lanes));
  table.push_back(integer("tile", "rows", 1, 16, "PEs",
                          "tile rows; each shares a side B stream and its scheduler",
                          &Config::rows));
  table.push_back(integer("tile", "columns", 1, 16, "PEs",
                          "tile columns; each shares a side A stream", &Config::columns));
  table.push_back(
      choice("tile", "scheduling", {"one_sided", "two_sided", "dense", "zero_gated"},
             "which pairs are dropped: side B zero; either side zero (1 row, 1 column); "
             "none (the baseline); none, but lanes rest at a zero of side B (the other baseline)",
             &Config::scheduling));
  const std::string interconnect = "tile.interconnect";
  table.push_back(integer(interconnect, "depth", 1, 8, "rows",
                          "rows a staging buffer looks at, and rows a side can accept per clock",
                          &Config::depth));
  table.push_back(of_sparse(
      named(interconnect, "pattern", ParameterKind::pattern,
            "options a lane may take its pair from, in order of priority; not for dense")));
  table.push_back(
      of_sparse(named(interconnect, "levels", ParameterKind::levels,
                      "lanes that choose at once, level by level; default: the conflict graph "
                      "coloured first-fit; not for dense")));
  const std::string numerics = "tile.numerics";
  table.push_back(choice(numerics, "format", format_names(kFormatCount),
                         "format of the operands; fp8: E4M3 or E5M2 of OFP8, as a row's flag says",
                         &Config::format));
  table.push_back(
      choice(numerics, "output", format_names(kOutputFormatCount),
             "format of the results; sums are always binary32; fp8: with ports for a power of "
             "two, the format and the mode",
             &Config::output));
  Parameter sum = choice(numerics, "sum", {"tree", "fused"},
                         "how the products of a step are added: by a tree of adders that round; or "
                         "as integers with the accumulator, rounded once",
                         &Config::sum);
  sum.later = true;
  table.push_back(std::move(sum));
  table.push_back(integer(numerics, "accumulators", 1, 8, "registers",
                          "partial accumulators that take the sums in turn; min(this, 4) - 1 "
                          "registers stand inside the accumulator's adder",
                          &Config::accumulators));
  const std::string pipeline = "tile.pipeline";
  table.push_back(of_sparse(integer(pipeline, "scheduler", 0, 1, "registers",
                                    "behind the schedulers, and where rows come in: elements "
                                    "follow choices a clock later; not for dense",
                                    &Config::scheduler_registers)));
  table.back().later = true;
  table.push_back(of_sparse(integer(pipeline, "interconnect", 0, 2, "registers",
                                    "behind the operand multiplexers; not for dense",
                                    &Config::interconnect_registers)));
  table.push_back(integer(pipeline, "multiplier", 0, 2, "registers", "inside each multiplier",
                          &Config::multiplier_registers));
  table.push_back(integer(pipeline, "adder", 0, 3, "registers", "inside each adder of the trees",
                          &Config::adder_registers));
  table.push_back(integer(pipeline, "tree", 0, 2, "registers",
                          "in front of every level of adders, the accumulator's included",
                          &Config::tree_registers));
  table.push_back(integer("tile.counters", "width", 8, 64, "bits", "of each performance counter",
                          &Config::counter_width));
  Parameter wrap = integer("tile.counters", "wrap", 0, 1, "",
                           "a full counter starts again at zero (true) or stays full (false)",
                           &Config::counter_wrap);
  wrap.kind = ParameterKind::boolean;
  table.push_back(std::move(wrap));
}

// The smallest bank is two rows of 64 binary32 operands, so that a half of it holds one.
void add_accelerator(std::vector<Parameter>& table) {
  const std::string paper = "arXiv:2009.00748";
  constexpr int least_bank = 512;
  using A = Accelerator;
  table.push_back(size("", "tiles", 1, 4096, "tiles", "tiles that share the passes of an operation",
                       paper + ": 16 tiles", &A::tiles));
  table.push_back(size("", "fill_rows", 1, 16, "rows",
                       "that come from the operand memory of a side into scratchpads in a clock",
                       "one; " + paper + " has 4 banks of an operand in each of 16 tiles",
                       &A::fill_rows));
  table.push_back(size("", "beat_rows", 1, 4, "rows", "of a beat of the memory's bus",
                       "one; " + paper + " has 51.2 bytes a clock, of rows of 32 or 64",
                       &A::beat_rows));
  table.push_back(size("", "unpack_rows", 0, 8, "rows",
                       "of packed tensors, without their zeros, that loads unpack in a clock; 0: "
                       "tensors cannot be packed",
                       "none; " + paper + " compresses what lies off the chip", &A::unpack_rows));
  table.back().later = true;
  table.push_back(size(
      "", "collect_words", 1, 2, "words",
      "of results, each of as many as a tile has rows, that leave a tile in a clock at most",
      "one; short passes, as of the scratchpads of " + paper + ", wait for it", &A::collect_words));
  table.push_back(size("", "outstanding", 2, 64, "bursts",
                       "on the way between the accelerator and memory, each direction",
                       "a memory that answers after 20 to 100 clocks", &A::outstanding));
  table.push_back(size("sram", "banks", 1, 1024, "banks",
                       "of every tile, for each of the operands A and B and for the results",
                       paper + ": 4 banks for each of A, B and C in every tile", &A::sram_banks));
  table.push_back(size("sram", "bank_bytes", least_bank, 1073741824, "bytes", "of each bank",
                       paper + ": banks of 256 KB", &A::sram_bank_bytes));
  table.push_back(size("scratchpad", "bank_bytes", least_bank, 1048576, "bytes",
                       "of each bank; every row and column of PEs has a scratchpad of "
                       "tile.interconnect.depth banks",
                       paper + ": banks of 1 KB", &A::scratchpad_bank_bytes));
}

std::vector<Parameter> build_table() {
  std::vector<Parameter> table;
  table.push_back(
      named("", "name", ParameterKind::name,
            "of the design: its top is NAME_tile, and NAME is in front of its other files"));
  add_tile(table);
  add_accelerator(table);
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
          "one of {}; or [[step, offset], ...]: [0, 0] first, then up to {} different "
          "options, step 1..depth-1, offset within -(lanes-1)..lanes-1",
          pattern_names(), kMaximumOptions - 1);
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
                                                     : options_text(config.options);
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

bool is_section(std::string_view path) {
  const std::string inside = std::string(path) + ".";
  for (const Parameter& parameter : parameters()) {
    if (parameter.path().rfind(inside, 0) == 0) return true;
  }
  return false;
}

}  // namespace td
