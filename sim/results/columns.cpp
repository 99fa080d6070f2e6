// SPDX-License-Identifier: Apache-2.0
// The columns of cycles: names, headings, meanings, and how each is worked out.
#include "sim/results/columns.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace td::sim {

namespace {

using R = const OpResult&;

Value zero_share(R result, const ZeroCount& first, const ZeroCount& second) {
  const ZeroCount& zeros = result.cycles.scheduled == Which::first ? first : second;
  return ratio(zeros.zeros, zeros.elements);
}

/// Cycles in which the whole array would do what these multipliers' cycles did.
Column array_cycles(std::string name, std::string heading, const Part& part, std::string meaning) {
  return {std::move(name),
          std::move(heading),
          Style::count,
          true,
          [part](R r, const ArraySize& array) {
            return ratio(r.cycles.multipliers.*part.cycles, array.multipliers());
          },
          std::move(meaning)};
}

void add_zeros(std::vector<Column>& all) {
  const auto add = [&all](const std::string& name, const std::function<ZeroCount(R)>& count,
                          const std::string& of) {
    all.push_back(fact(
        name + "_zeros", "", Style::count, [count](R r) { return count(r).zeros; },
        "zeros among " + of));
    all.push_back(fact(
        name + "_elements", "", Style::count, [count](R r) { return count(r).elements; },
        "number of " + of));
  };
  const std::string counted =
      " operand's elements, padding included, as counted for the choice of "
      "side B";
  add(
      "first_counted", [](R r) { return r.zeros.first; }, "the first" + counted);
  add(
      "second_counted", [](R r) { return r.zeros.second; }, "the second" + counted);
  add(
      "first_tensor", [](R r) { return r.first_tensor; },
      "the first operand's elements: activations of fwd and wgrad, gradients of dgrad");
  add(
      "second_tensor", [](R r) { return r.second_tensor; },
      "the second operand's elements: weights of fwd and dgrad, gradients of wgrad");
}

void add_facts(std::vector<Column>& all) {
  all.push_back(fact(
      "snapshot", "snapshot", Style::text, [](R r) { return r.snapshot; },
      "moment of training that the operands are of"));
  all.push_back(fact(
      "layer", "layer", Style::text, [](R r) { return r.layer; }, "name of the layer"));
  all.push_back(fact(
      "op", "op", Style::text, [](R r) { return std::string(to_string(r.op)); },
      "fwd, dgrad (gradient of the input) or wgrad (gradient of the weights)"));
  all.push_back(fact(
      "side_b_tensor", "side B", Style::text,
      [](R r) { return std::string(tensor_name(r.scheduled)); },
      "tensor on side B, which is searched for zeros: activations, weights or "
      "gradients (of the output)"));
  all.push_back(fact(
      "side_b_tensor_zeros_ratio", "zeros %", Style::percent,
      [](R r) { return zero_share(r, r.first_tensor, r.second_tensor); },
      "share of zeros in that tensor"));
  all.push_back(fact(
      "side_b_counted_zeros_ratio", "", Style::percent,
      [](R r) { return zero_share(r, r.zeros.first, r.zeros.second); },
      "the same as counted for the choice of side B, with the authors' rule: padding included, of "
      "wgrad's activations only the first rows and columns, as many as outputs have"));
  add_zeros(all);
  all.push_back(fact(
      "gated", "gated", Style::mark, [](R r) { return r.gated; },
      "whether the sparse path was off, as on dense tiles, by --gate; in the machine plan_drops "
      "says more"));
}

void add_cycles(std::vector<Column>& all) {
  const auto add = [&all](const char* name, const char* heading, Style style,
                          std::function<Value(R)> value, const char* meaning) {
    all.push_back(quantity(name, heading, style, std::move(value), meaning));
  };
  add(
      "passes", "passes", Style::count, [](R r) { return r.cycles.passes; },
      "passes: each a stream in every tile row and tile column");
  add(
      "all_passes_rows", "", Style::count, [](R r) { return r.cycles.rows; },
      "operand rows of all passes, the cycles of one dense tile");
  add(
      "useful_macs", "", Style::count, [](R r) { return r.useful_macs; },
      "pairs of the operation of which neither operand is zero");
  add(
      "dense_cycles", "dense cyc.", Style::count, [](R r) { return r.cycles.dense_cycles; },
      "cycles of the array of dense tiles");
  add(
      "zero_free_cycles", "", Style::count, [](R r) { return r.zero_free.cycles; },
      "cycles of the array had the tensors no zeros: it drops only what was filled in");
  add(
      "cycles", "cycles", Style::count, [](R r) { return r.cycles.cycles; },
      "cycles of the array, those of its slowest tile");
  add(
      "all_tiles_cycles", "", Style::count, [](R r) { return r.cycles.tile_cycles; },
      "cycles of all tiles together, each as long as it works");
  add(
      "data_speedup_ratio", "speed-up: data", Style::factor,
      [](R r) { return ratio(r.zero_free.cycles, r.cycles.cycles); },
      "zero_free_cycles / cycles: what zeros of the data gain");
  add(
      "filled_in_speedup_ratio", "filled", Style::factor,
      [](R r) { return ratio(r.cycles.dense_cycles, r.zero_free.cycles); },
      "dense_cycles / zero_free_cycles: what dropping zeros gains that the mapping filled in");
  add(
      "total_speedup_ratio", "total", Style::factor,
      [](R r) { return ratio(r.cycles.dense_cycles, r.cycles.cycles); },
      "dense_cycles / cycles, the product of both");
  all.push_back(array_cycles("ideal_cycles", "", parts().front(),
                             "cycles if every multiplier always had an effectual pair"));
  add(
      "utilisation_ratio", "used %", Style::percent,
      [](R r) { return ratio(r.cycles.multipliers.effectual, r.cycles.multipliers.total()); },
      "ideal_cycles / cycles");
}

/// Each part of the multipliers' cycles: those lost in cycles of the array, then all exactly.
void add_parts(std::vector<Column>& all) {
  for (const Part& part : parts()) {
    if (part.cycles == &MultiplierCycles::effectual) continue;
    all.push_back(array_cycles(fmt::format("lost_{}_cycles", part.name), "", part,
                               fmt::format("share of the cycles lost to: {}", part.text)));
  }
  for (const Part& part : parts()) {
    all.push_back(quantity(
        fmt::format("{}_multiplier_cycles", part.name), "", Style::count,
        [part](R r) { return r.cycles.multipliers.*part.cycles; },
        fmt::format("cycles of single multipliers: {}", part.text)));
  }
}

std::vector<Column> made_columns() {
  std::vector<Column> made;
  add_facts(made);
  add_cycles(made);
  add_parts(made);
  add_machine_columns(made);
  add_energy_columns(made);
  return made;
}

}  // namespace

Value ratio(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

Column fact(std::string name, std::string heading, Style style, std::function<Value(R)> value,
            std::string meaning) {
  return {std::move(name),
          std::move(heading),
          style,
          false,
          [value = std::move(value)](R r, const ArraySize&) { return value(r); },
          std::move(meaning)};
}

Column quantity(std::string name, std::string heading, Style style, std::function<Value(R)> value,
                std::string meaning) {
  Column column =
      fact(std::move(name), std::move(heading), style, std::move(value), std::move(meaning));
  column.of_sums = true;
  return column;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = made_columns();
  return all;
}

std::int64_t percent_tenths(double ratio) { return std::llround(1000.0 * ratio); }

std::string terminal_text(const Value& value, Style style) {
  if (std::holds_alternative<std::monostate>(value)) return "-";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  const double number = std::get<double>(value);
  if (style == Style::percent) {
    const std::int64_t tenths = percent_tenths(number);
    return fmt::format("{}.{}", tenths / 10, tenths % 10);
  }
  return style == Style::factor ? fmt::format("{:.2f}", number) : fmt::format("{:.0f}", number);
}

std::string exact_text(const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return "";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  return fmt::format("{}", std::get<double>(value));
}

}  // namespace td::sim
