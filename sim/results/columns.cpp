// SPDX-License-Identifier: Apache-2.0
// The columns: names, headings, and how each is worked out.
#include "sim/results/columns.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace td::sim {

namespace {

Value ratio(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

Value zero_share(const OpResult& result) {
  const ZeroCount& zeros =
      result.cycles.scheduled == Which::first ? result.zeros.first : result.zeros.second;
  return ratio(zeros.zeros, zeros.elements);
}

/// A column that is a text or fact of one operation.
Column fact(std::string name, std::string heading, Style style,
            std::function<Value(const OpResult&)> value) {
  return {std::move(name), std::move(heading), style, false,
          [value = std::move(value)](const OpResult& r, const ArraySize&) { return value(r); }};
}

/// A column that can be taken of sums.
Column quantity(std::string name, std::string heading, Style style,
                std::function<Value(const OpResult&)> value) {
  Column column = fact(std::move(name), std::move(heading), style, std::move(value));
  column.of_sums = true;
  return column;
}

/// Cycles in which the whole array would do what these multipliers' cycles did.
Column array_cycles(std::string name, std::string heading, const Part& part) {
  return {std::move(name), std::move(heading), Style::count, true,
          [part](const OpResult& r, const ArraySize& array) {
            return ratio(r.cycles.multipliers.*part.cycles, array.multipliers());
          }};
}

void add_facts(std::vector<Column>& all) {
  using R = const OpResult&;
  all.push_back(fact("snapshot", "snapshot", Style::text, [](R r) { return r.snapshot; }));
  all.push_back(fact("layer", "layer", Style::text, [](R r) { return r.layer; }));
  all.push_back(fact("op", "op", Style::text, [](R r) { return std::string(to_string(r.op)); }));
  all.push_back(fact("scheduled_operand", "scheduled", Style::text,
                     [](R r) { return std::string(to_string(r.scheduled)); }));
  all.push_back(fact("scheduled_counted_zeros_ratio", "zeros %", Style::percent, zero_share));
  const auto add_zeros = [&all](const std::string& name, const std::function<ZeroCount(R)>& count) {
    all.push_back(fact(name + "_zeros", "", Style::count, [count](R r) { return count(r).zeros; }));
    all.push_back(
        fact(name + "_elements", "", Style::count, [count](R r) { return count(r).elements; }));
  };
  add_zeros("first_counted", [](R r) { return r.zeros.first; });
  add_zeros("second_counted", [](R r) { return r.zeros.second; });
  add_zeros("first_tensor", [](R r) { return r.first_tensor; });
  add_zeros("second_tensor", [](R r) { return r.second_tensor; });
  all.push_back(fact("gated", "gated", Style::mark, [](R r) { return r.gated; }));
}

void add_cycles(std::vector<Column>& all) {
  using R = const OpResult&;
  all.push_back(quantity("passes", "passes", Style::count, [](R r) { return r.cycles.passes; }));
  all.push_back(quantity("all_passes_rows", "", Style::count, [](R r) { return r.cycles.rows; }));
  all.push_back(quantity("dense_cycles", "dense cyc.", Style::count,
                         [](R r) { return r.cycles.dense_cycles; }));
  all.push_back(quantity("cycles", "cycles", Style::count, [](R r) { return r.cycles.cycles; }));
  all.push_back(
      quantity("all_tiles_cycles", "", Style::count, [](R r) { return r.cycles.tile_cycles; }));
  all.push_back(quantity("speedup_ratio", "speed-up", Style::factor,
                         [](R r) { return ratio(r.cycles.dense_cycles, r.cycles.cycles); }));
  all.push_back(array_cycles("ideal_cycles", "ideal cyc.", parts().front()));
  all.push_back(quantity("utilisation_ratio", "used %", Style::percent, [](R r) {
    return ratio(r.cycles.multipliers.effectual, r.cycles.multipliers.total());
  }));
}

/// Each part of the multipliers' cycles: those lost in cycles of the array, then all exactly.
void add_parts(std::vector<Column>& all) {
  for (const Part& part : parts()) {
    if (part.cycles == &MultiplierCycles::effectual) continue;
    all.push_back(array_cycles(fmt::format("lost_{}_cycles", part.name), "", part));
  }
  for (const Part& part : parts()) {
    all.push_back(
        quantity(fmt::format("{}_multiplier_cycles", part.name), "", Style::count,
                 [part](const OpResult& r) { return r.cycles.multipliers.*part.cycles; }));
  }
}

std::int64_t sram_read_bytes(const MemoryTraffic& traffic) {
  return (traffic.first.filled_rows + traffic.second.filled_rows) * traffic.row_bytes +
         traffic.output_rows * traffic.output_row_bytes;
}

std::int64_t sram_written_bytes(const MemoryTraffic& traffic) {
  return traffic.compressed.sram_written_rows * traffic.row_bytes +
         traffic.output_rows * traffic.output_row_bytes;
}

void add_memory(std::vector<Column>& all) {
  using R = const OpResult&;
  const auto add = [&all](const char* name, std::function<Value(R)> value) {
    all.push_back(quantity(name, "", Style::count, std::move(value)));
  };
  // By bank; each the sum over all lines of that side, in all tiles.
  add("first_scratchpad_banks_read_rows", [](R r) { return r.traffic.first.scratchpad_read_rows; });
  add("second_scratchpad_banks_read_rows",
      [](R r) { return r.traffic.second.scratchpad_read_rows; });
  add("first_scratchpad_written_rows", [](R r) { return r.traffic.first.filled_rows; });
  add("second_scratchpad_written_rows", [](R r) { return r.traffic.second.filled_rows; });
  add("sram_read_bytes", [](R r) { return sram_read_bytes(r.traffic); });
  add("sram_written_bytes", [](R r) { return sram_written_bytes(r.traffic); });
  add("transposed_blocks", [](R r) { return r.traffic.compressed.transposed_blocks; });
  add("dram_raw_read_bytes", [](R r) { return r.traffic.raw.read_bytes; });
  add("dram_raw_written_bytes", [](R r) { return r.traffic.raw.written_bytes; });
  add("dram_read_bytes", [](R r) { return r.traffic.compressed.read_bytes; });
  add("dram_written_bytes", [](R r) { return r.traffic.compressed.written_bytes; });
  add("dram_raw_cycles", [](R r) { return r.traffic.raw.dram_cycles; });
  add("dram_cycles", [](R r) { return r.traffic.compressed.dram_cycles; });
  add("transposer_cycles", [](R r) { return r.traffic.compressed.transposer_cycles; });
  add("dense_raw_memory_cycles", [](R r) { return r.traffic.dense_raw_cycles; });
  add("dense_memory_cycles", [](R r) { return r.traffic.dense_cycles; });
  add("memory_cycles", [](R r) { return r.traffic.cycles; });
  add("memory_speedup_ratio", [](R r) { return ratio(r.traffic.dense_cycles, r.traffic.cycles); });
}

void add_energy(std::vector<Column>& all) {
  using R = const OpResult&;
  const auto add = [&all](std::string name, std::function<Value(R)> value) {
    all.push_back(quantity(std::move(name), "", Style::count, std::move(value)));
  };
  const std::pair<const char*, double Energy::*> kinds[] = {{"compute", &Energy::compute_pJ},
                                                            {"scratchpad", &Energy::scratchpad_pJ},
                                                            {"sram", &Energy::sram_pJ},
                                                            {"transposer", &Energy::transposer_pJ},
                                                            {"dram", &Energy::dram_pJ}};
  for (const auto& [name, energy] : kinds) {
    add(fmt::format("dense_{}_energy_pJ", name), [e = energy](R r) { return r.energy.dense.*e; });
    add(fmt::format("{}_energy_pJ", name), [e = energy](R r) { return r.energy.tensordash.*e; });
  }
  add("dense_energy_pJ", [](R r) { return r.energy.dense.total_pJ(); });
  add("energy_pJ", [](R r) { return r.energy.tensordash.total_pJ(); });
  add("compute_efficiency_ratio", [](R r) { return r.energy.compute_efficiency(); });
  add("system_efficiency_ratio", [](R r) { return r.energy.system_efficiency(); });
  add("ungated_cycles", [](R r) { return r.ungated_cycles; });
  add("ungated_energy_pJ", [](R r) { return r.ungated_energy_pJ; });
}

/// The numbers with a character between them.
std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers)
    text += fmt::format("{}{}", text.empty() ? "" : " ", number);
  return text;
}

}  // namespace

const std::vector<Column>& columns() {
  static const std::vector<Column> all = [] {
    std::vector<Column> made;
    add_facts(made);
    add_cycles(made);
    add_parts(made);
    add_memory(made);
    add_energy(made);
    return made;
  }();
  return all;
}

std::int64_t percent_tenths(double ratio) { return std::llround(1000.0 * ratio); }

std::string terminal_text(const Value& value, Style style) {
  if (std::holds_alternative<std::monostate>(value)) return "-";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) return joined(*list);
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
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) return joined(*list);
  return fmt::format("{}", std::get<double>(value));
}

}  // namespace td::sim
