// SPDX-License-Identifier: Apache-2.0
#include "sim/results/result_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "gen/base/text_table.hpp"
#include "sim/results/columns.hpp"

namespace td::sim {
namespace {

using Align = TextTable::Align;
using R = const OpResult&;

std::string factor(double value) { return fmt::format("{:.2f}", value); }

std::string ratio(std::int64_t part, std::int64_t whole) {
  return terminal_text(sim::ratio(part, whole), Style::factor);
}

std::string millionths(double value) { return fmt::format("{:.2f}", value / 1e6); }

std::string megabytes(const OffChip& traffic) {
  return millionths(static_cast<double>(traffic.read_bytes + traffic.written_bytes));
}

/// A line of the table: a name, and what it says of a sum of operations.
struct Line {
  const char* name;
  std::function<std::string(R)> value;
};

const std::vector<Line>& lines() {
  static const std::vector<Line> all = {
      {"off-chip traffic, raw, MB", [](R r) { return megabytes(r.traffic.raw); }},
      {"off-chip traffic, zero-compressed, MB",
       [](R r) { return megabytes(r.traffic.compressed); }},
      {"cycles with memory, dense, raw",
       [](R r) { return fmt::format("{}", r.traffic.dense_raw_cycles); }},
      {"cycles with memory, dense, compressed",
       [](R r) { return fmt::format("{}", r.traffic.dense_cycles); }},
      {"cycles with memory, TensorDash", [](R r) { return fmt::format("{}", r.traffic.cycles); }},
      {"speed-up with memory, data",
       [](R r) { return ratio(r.zero_free.memory_cycles, r.traffic.cycles); }},
      {"speed-up with memory, total",
       [](R r) { return ratio(r.traffic.dense_cycles, r.traffic.cycles); }},
      {"compute energy, dense, uJ", [](R r) { return millionths(r.energy.dense.compute_pJ); }},
      {"compute energy, zero-gated, uJ",
       [](R r) { return millionths(r.energy.zero_gated.compute_pJ); }},
      {"compute energy, TensorDash, uJ",
       [](R r) { return millionths(r.energy.tensordash.compute_pJ); }},
      {"energy with memory, dense, uJ", [](R r) { return millionths(r.energy.dense.total_pJ()); }},
      {"energy with memory, zero-gated, uJ",
       [](R r) { return millionths(r.energy.zero_gated.total_pJ()); }},
      {"energy with memory, TensorDash, uJ",
       [](R r) { return millionths(r.energy.tensordash.total_pJ()); }},
      {"energy efficiency, compute only, data",
       [](R r) { return factor(r.data_energy().compute_efficiency()); }},
      {"energy efficiency, compute only, total",
       [](R r) { return factor(r.energy.compute_efficiency()); }},
      {"energy efficiency, whole system, data",
       [](R r) { return factor(r.data_energy().system_efficiency()); }},
      {"energy efficiency, whole system, total",
       [](R r) { return factor(r.energy.system_efficiency()); }},
      {"over zero-gated, compute only, data",
       [](R r) { return factor(r.data_energy().compute_efficiency_over_zero_gated()); }},
      {"over zero-gated, compute only, total",
       [](R r) { return factor(r.energy.compute_efficiency_over_zero_gated()); }},
      {"over zero-gated, whole system, data",
       [](R r) { return factor(r.data_energy().system_efficiency_over_zero_gated()); }},
      {"over zero-gated, whole system, total",
       [](R r) { return factor(r.energy.system_efficiency_over_zero_gated()); }},
  };
  return all;
}

/// Lines about the best dataflows, of results that have them.
const std::vector<Line>& dataflow_lines() {
  static const std::vector<Line> all = {
      {"energy of large memories, dense, uJ",
       [](R r) { return millionths(r.best->dense.energy.sram_pJ); }},
      {"energy of large memories, TensorDash, uJ",
       [](R r) { return millionths(r.best->tensordash.energy.sram_pJ); }},
      {"energy of scratchpads, dense, uJ",
       [](R r) { return millionths(r.best->dense.energy.scratchpad_pJ); }},
      {"energy of scratchpads, TensorDash, uJ",
       [](R r) { return millionths(r.best->tensordash.energy.scratchpad_pJ); }},
      {"cycles with memory, dense",
       [](R r) { return fmt::format("{}", r.best->dense.memory_cycles); }},
      {"cycles with memory, TensorDash",
       [](R r) { return fmt::format("{}", r.best->tensordash.memory_cycles); }},
      {"speed-up with memory, data",
       [](R r) {
         return ratio(r.best->zero_free.memory_cycles, r.best->tensordash.memory_cycles);
       }},
      {"speed-up with memory, total",
       [](R r) { return ratio(r.best->dense.memory_cycles, r.best->tensordash.memory_cycles); }},
      {"energy with memory, dense, uJ",
       [](R r) { return millionths(r.best->dense.energy.total_pJ()); }},
      {"energy with memory, zero-gated, uJ",
       [](R r) { return millionths(r.best->zero_gated.energy.total_pJ()); }},
      {"energy with memory, TensorDash, uJ",
       [](R r) { return millionths(r.best->tensordash.energy.total_pJ()); }},
      {"energy efficiency, whole system, data",
       [](R r) { return factor(r.best->data_energy().system_efficiency()); }},
      {"energy efficiency, whole system, total",
       [](R r) { return factor(r.best->energy().system_efficiency()); }},
      {"over zero-gated, whole system, data",
       [](R r) { return factor(r.best->data_energy().system_efficiency_over_zero_gated()); }},
      {"over zero-gated, whole system, total",
       [](R r) { return factor(r.best->energy().system_efficiency_over_zero_gated()); }},
  };
  return all;
}

/// A column for each kind of operation, and one for all.
std::string table_text(const std::string& heading, const std::vector<Line>& lines,
                       const RunResult& result) {
  std::vector<OpResult> sums = totals(result.operations, TotalBy::op);
  TextTable table;
  table.add_column(heading, Align::left);
  for (const OpResult& sum : sums) table.add_column(to_string(sum.op), Align::right);
  table.add_column("all", Align::right);
  for (const OpResult& sum : totals(result.operations, TotalBy::all)) sums.push_back(sum);
  for (const Line& line : lines) {
    std::vector<std::string> cells = {line.name};
    for (const OpResult& sum : sums) cells.push_back(line.value(sum));
    table.add_row(cells);
  }
  return table.text();
}

constexpr std::size_t kMostMissing = 8;

/// In percent, rounded down: what is not all of it never looks so.
std::string rounded_down(double share) {
  return fmt::format("{:.1f} %", std::floor(1000 * share) / 10);
}

/// The largest first; what nobody has counted before all others.
std::vector<NotCaptured> by_size(std::vector<NotCaptured> missing) {
  std::stable_sort(missing.begin(), missing.end(), [](const NotCaptured& a, const NotCaptured& b) {
    return a.macs ? b.macs && *a.macs > *b.macs : b.macs.has_value();
  });
  return missing;
}

std::string missing_text(const Coverage& coverage) {
  std::string text;
  std::size_t lines = 0;
  for (const NotCaptured& one : by_size(coverage.not_captured)) {
    if (lines++ == kMostMissing) {
      return text + fmt::format("  and {} more, in the JSON\n",
                                coverage.not_captured.size() - kMostMissing);
    }
    const double share =
        static_cast<double>(one.macs.value_or(0)) / static_cast<double>(coverage.macs);
    text += fmt::format("  without {} ({}{}): {}\n", one.name, one.op,
                        one.macs.value_or(0) > 0 ? ", " + rounded_down(share) : "", one.why);
  }
  return text;
}

}  // namespace

std::string coverage_text(const RunResult& result) {
  std::string text;
  for (const Coverage& coverage : result.coverage) {
    text += fmt::format(
        "{} {}{} of the step's MACs ({})\n", result.is_selection ? "chosen from" : "totals of",
        coverage.is_bound() ? "at most " : "", rounded_down(coverage.share()), coverage.snapshot);
    text += missing_text(coverage);
  }
  return text;
}

std::string memory_text(const RunResult& result) {
  const std::string memories =
      result.memories.empty() ? "" : fmt::format("memories of {}\n", result.memories);
  return fmt::format("accelerator {}, technology {}, {} MHz\n{}compute energy from {}\n{}",
                     result.accelerator_hash, result.technology, result.clock_MHz, memories,
                     result.compute.source, table_text("memory and energy", lines(), result));
}

std::string dataflow_text(const RunResult& result) {
  std::string without;
  for (const std::string& idea : result.without) without += ", without " + idea;
  return table_text(fmt::format("best dataflows (least {}{})", result.objective, without),
                    dataflow_lines(), result);
}

std::string gating_text(const RunResult& result) {
  const auto gated = std::count_if(result.operations.begin(), result.operations.end(),
                                   [](R operation) { return operation.gated; });
  std::string text;
  for (const OpResult& sum : totals(result.operations, TotalBy::all)) {
    const double energy = sum.energy.tensordash.total_pJ();
    text += fmt::format("{} of {} operations gated: {:+d} cycles, {:+.3f} uJ ({:+.3f} %)\n", gated,
                        result.operations.size(), sum.cycles.cycles - sum.ungated_cycles,
                        (energy - sum.ungated_energy_pJ) / 1e6,
                        100 * (energy / sum.ungated_energy_pJ - 1));
  }
  return text;
}

}  // namespace td::sim
