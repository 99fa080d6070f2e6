// SPDX-License-Identifier: Apache-2.0
#include "sim/results/result_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/support/text_table.hpp"
#include "sim/results/columns.hpp"

namespace td::sim {
namespace {

using Align = TextTable::Align;
using R = const OpResult&;
using M = const MachineUse&;

std::string factor(double value) { return fmt::format("{:.2f}", value); }

std::string ratio(std::int64_t part, std::int64_t whole) {
  return terminal_text(sim::ratio(part, whole), Style::factor);
}

std::string millionths(double value) { return fmt::format("{:.2f}", value / 1e6); }

std::string count(std::int64_t value) { return fmt::format("{}", value); }

std::string megabytes(const MovedBytes& bytes) {
  return millionths(static_cast<double>(bytes.read + bytes.written));
}

/// A line of the table: a name, and what it says of a sum of operations.
struct Line {
  const char* name;
  std::function<std::string(R)> value;
};

const std::vector<Line>& compute_lines() {
  static const std::vector<Line> all = {
      {"compute energy, dense, uJ", [](R r) { return millionths(r.energy.dense_pJ); }},
      {"compute energy, zero-gated, uJ", [](R r) { return millionths(r.energy.zero_gated_pJ); }},
      {"compute energy, TensorDash, uJ", [](R r) { return millionths(r.energy.tensordash_pJ); }},
      {"energy efficiency, compute only, data",
       [](R r) { return factor(r.data_energy().efficiency()); }},
      {"energy efficiency, compute only, total", [](R r) { return factor(r.energy.efficiency()); }},
      {"over zero-gated, compute only, data",
       [](R r) { return factor(r.data_energy().efficiency_over_zero_gated()); }},
      {"over zero-gated, compute only, total",
       [](R r) { return factor(r.energy.efficiency_over_zero_gated()); }},
  };
  return all;
}

/// A line of what the machine takes.
Line machine_line(const char* name, std::function<std::string(const MachineUse&)> value) {
  return {name, [value = std::move(value)](R r) { return value(r.machine.value()); }};
}

/// Of results that have the machine.
const std::vector<Line>& machine_lines() {
  static const std::vector<Line> all = {
      machine_line("clocks with memory, dense", [](M m) { return count(m.dense.clocks); }),
      machine_line("clocks with memory, TensorDash",
                   [](M m) { return count(m.tensordash.clocks); }),
      machine_line("speed-up with memory, data",
                   [](M m) { return ratio(m.zero_free_clocks, m.tensordash.clocks); }),
      machine_line("speed-up with memory, total",
                   [](M m) { return ratio(m.dense.clocks, m.tensordash.clocks); }),
      machine_line("speed-up of the fullest ports",
                   [](M m) { return ratio(m.dense.port, m.tensordash.port); }),
      machine_line("clocks over their bound, dense",
                   [](M m) { return ratio(m.dense.clocks, m.dense.bound); }),
      machine_line("clocks over their bound, TensorDash",
                   [](M m) { return ratio(m.tensordash.clocks, m.tensordash.bound); }),
      machine_line("off-chip traffic, dense, MB",
                   [](M m) { return megabytes(m.dense.levels.off_chip); }),
      machine_line("off-chip traffic, TensorDash, MB",
                   [](M m) { return megabytes(m.tensordash.levels.off_chip); }),
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

/// What the clocks of all operations went to, in %: a line for each kind of hardware.
std::string clocks_text(M machine) {
  TextTable table;
  table.add_column("where the clocks went, in %", Align::left);
  for (const ClockPart& part : kClockParts) table.add_column(part.text, Align::right);
  const std::pair<const char*, const OperationCounts&> kinds[] = {
      {"dense", machine.dense}, {"TensorDash", machine.tensordash}};
  for (const auto& [name, counts] : kinds) {
    std::vector<std::string> cells = {name};
    for (const ClockPart& part : kClockParts) {
      cells.push_back(
          terminal_text(sim::ratio(counts.use.*part.clocks, counts.clocks), Style::percent));
    }
    table.add_row(cells);
  }
  return table.text();
}

/// Of all operations, by where it goes: a line for each kind of hardware.
std::string energy_text(M machine) {
  TextTable table;
  table.add_column("energy, uJ", Align::left);
  for (const char* heading : {"tiles", "scratchpads", "large memories", "off chip", "leakage",
                              "around tiles", "total", "TensorDash's efficiency"}) {
    table.add_column(heading, Align::right);
  }
  const HardwareEnergy& all = machine.energy;
  const std::pair<const char*, const Energy&> kinds[] = {
      {"dense", all.dense}, {"zero-gated", all.zero_gated}, {"TensorDash", all.tensordash}};
  for (const auto& [name, energy] : kinds) {
    std::vector<std::string> cells = {name};
    for (const double pJ : {energy.compute_pJ, energy.scratchpad_pJ, energy.sram_pJ, energy.dram_pJ,
                            energy.leakage_pJ, energy.surroundings_pJ, energy.total_pJ()}) {
      cells.push_back(millionths(pJ));
    }
    cells.push_back(factor(energy.total_pJ() / all.tensordash.total_pJ()));
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

namespace {

std::string bus_text(const RunResult& result) {
  const std::string bandwidth =
      result.bandwidth == 0
          ? ""
          : fmt::format(", {:g} bytes a clock", static_cast<double>(result.bandwidth) / 1000);
  return bandwidth + (result.packed ? ", operands packed" : "");
}

}  // namespace

std::string memory_text(const RunResult& result) {
  const std::string memories =
      result.memories.empty() ? "" : fmt::format("memories of {}\n", result.memories);
  std::string text =
      fmt::format("accelerator {}, technology {}, {} MHz\n{}compute energy from {}\n{}",
                  result.accelerator_hash, result.technology, result.clock_MHz, memories,
                  result.compute.source, table_text("tiles alone", compute_lines(), result));
  if (!result.latency) return text;
  const OpResult all = totals(result.operations, TotalBy::all).front();
  return text + '\n' +
         table_text(
             fmt::format("from memory to memory, latency {}{}", *result.latency, bus_text(result)),
             machine_lines(), result) +
         '\n' + clocks_text(*all.machine) + '\n' + energy_text(*all.machine);
}

std::string gating_text(const RunResult& result) {
  const auto gated = std::count_if(result.operations.begin(), result.operations.end(),
                                   [](R operation) { return operation.gated; });
  std::string text;
  for (const OpResult& sum : totals(result.operations, TotalBy::all)) {
    const double energy = sum.energy.tensordash_pJ;
    text +=
        fmt::format("{} of {} operations gated: {:+d} cycles, {:+.3f} uJ of compute ({:+.3f} %)\n",
                    gated, result.operations.size(), sum.cycles.cycles - sum.ungated_cycles,
                    (energy - sum.ungated_pJ) / 1e6, 100 * (energy / sum.ungated_pJ - 1));
  }
  return text;
}

}  // namespace td::sim
