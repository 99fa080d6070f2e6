// SPDX-License-Identifier: Apache-2.0
// The columns of the best dataflows.
#include <fmt/format.h>

#include <utility>

#include "sim/results/columns.hpp"

namespace td::sim {

namespace {

using R = const OpResult&;
using Best = const BestDataflows&;

struct Kind {
  const char* prefix;
  const char* with;
  DataflowResult BestDataflows::*result;
};

constexpr Kind kKinds[] = {{"dense_", "dense tiles", &BestDataflows::dense},
                           {"zero_gated_", "zero-gated dense tiles", &BestDataflows::zero_gated},
                           {"", "TensorDash", &BestDataflows::tensordash}};

/// A value of the best dataflows, which are there where these columns are shown.
std::function<Value(R)> of_best(std::function<Value(Best)> value) {
  return [value = std::move(value)](R r) { return value(*r.best); };
}

std::string once_text(const DataflowResult& result) {
  if (!result.gradients_once) return "";
  if (result.dataflow.images == 0) return ", gradients once";
  return fmt::format(", gradients once, {} images at a time", result.dataflow.images);
}

/// "A stays, 4x4 tiles, chunks of 96 rows, shared": tiles of first by tiles of second streams.
std::string dataflow_text(Op op, const DataflowResult& result) {
  const Dataflow& dataflow = result.dataflow;
  const std::string cut =
      dataflow.chunk_rows == 0 ? "uncut" : fmt::format("chunks of {} rows", dataflow.chunk_rows);
  return fmt::format(
      "{} stay, {}x{} tiles, {}{}{}{}", tensor_name(operand(op, dataflow.stationary)),
      dataflow.first_tiles, dataflow.second_tiles, cut, result.shares_rows ? ", shared rows" : "",
      once_text(result), result.path == SparsePath::gated ? ", sparse path off" : "");
}

class BestColumns {
 public:
  explicit BestColumns(std::vector<Column>& all) : all_(all) {}

  void operator()(const std::string& name, std::function<Value(Best)> value,
                  const std::string& meaning) const {
    all_.push_back(quantity("best_" + name, "", Style::count, of_best(std::move(value)), meaning));
  }

  void facts_of(const Kind& kind) const {
    all_.push_back(fact(
        fmt::format("best_{}dataflow", kind.prefix), "", Style::text,
        [result = kind.result](R r) { return dataflow_text(r.op, (*r.best).*result); },
        fmt::format("best dataflow with {}: the tensor that stays, tiles along first and second "
                    "streams, cuts, whether kernel positions share rows, output gradients come in "
                    "once for dgrad and wgrad, and the sparse path is off",
                    kind.with)));
    all_.push_back(fact(
        fmt::format("best_{}limit", kind.prefix), "", Style::text,
        [result = kind.result](R r) { return std::string(((*r.best).*result).limit()); },
        fmt::format("what bounds the time with {}: tiles, SRAM, transposers or DRAM", kind.with)));
  }

 private:
  std::vector<Column>& all_;
};

void add_counts(const BestColumns& add, const Kind& kind) {
  const auto of = [&](const char* name, std::function<Value(const DataflowResult&)> value,
                      const char* meaning) {
    add(
        kind.prefix + std::string(name),
        [value = std::move(value), result = kind.result](Best best) { return value(best.*result); },
        fmt::format("{} with {}", meaning, kind.with));
  };
  using D = const DataflowResult&;
  of(
      "cycles", [](D d) { return d.cycles; }, "cycles of the array");
  of(
      "sram_cycles", [](D d) { return d.sram_cycles; }, "cycles that the large memories take");
  of(
      "memory_cycles", [](D d) { return d.memory_cycles; }, "cycles with memory");
  of(
      "all_tiles_cycles", [](D d) { return d.tile_cycles; }, "cycles of all tiles together");
  of(
      "passes", [](D d) { return d.counts.passes; }, "passes, of a chunk each,");
  of(
      "sram_read_rows", [](D d) { return d.counts.sram_reads(); },
      "rows of operands and partial sums read from the large memories");
  of(
      "partial_sums_rows", [](D d) { return d.counts.partial_rows; },
      "rows of partial sums written and read");
  of(
      "scratchpad_written_rows", [](D d) { return d.counts.first.filled + d.counts.second.filled; },
      "rows written into scratchpads");
  of(
      "scratchpad_read_rows",
      [](D d) { return d.counts.first.scratchpad_read + d.counts.second.scratchpad_read; },
      "rows read from scratchpads");
  of(
      "dram_bytes", [](D d) { return d.dram_bytes; }, "bytes read from and written to the DRAM");
  of(
      "compute_energy_pJ", [](D d) { return d.energy.compute_pJ; }, "energy of compute");
  of(
      "scratchpad_energy_pJ", [](D d) { return d.energy.scratchpad_pJ; }, "energy of scratchpads");
  of(
      "sram_energy_pJ", [](D d) { return d.energy.sram_pJ; }, "energy of the large memories");
  of(
      "leakage_energy_pJ", [](D d) { return d.energy.leakage_pJ; },
      "energy of the memories' leakage");
  of(
      "energy_pJ", [](D d) { return d.energy.total_pJ(); }, "energy, memory included,");
}

void add_ratios(const BestColumns& add) {
  add(
      "zero_free_cycles", [](Best b) { return b.zero_free.cycles; },
      "cycles in TensorDash's dataflow had the tensors no zeros");
  add(
      "zero_free_memory_cycles", [](Best b) { return b.zero_free.memory_cycles; },
      "the same with memory");
  add(
      "data_speedup_ratio", [](Best b) { return ratio(b.zero_free.cycles, b.tensordash.cycles); },
      "best_zero_free_cycles / best_cycles");
  add(
      "total_speedup_ratio", [](Best b) { return ratio(b.dense.cycles, b.tensordash.cycles); },
      "best_dense_cycles / best_cycles: each in its own dataflow");
  add(
      "data_memory_speedup_ratio",
      [](Best b) { return ratio(b.zero_free.memory_cycles, b.tensordash.memory_cycles); },
      "best_zero_free_memory_cycles / best_memory_cycles");
  add(
      "total_memory_speedup_ratio",
      [](Best b) { return ratio(b.dense.memory_cycles, b.tensordash.memory_cycles); },
      "best_dense_memory_cycles / best_memory_cycles");
  add(
      "data_system_efficiency_ratio", [](Best b) { return b.data_energy().system_efficiency(); },
      "energy with dense tiles that do none of the work that was filled in / best_energy_pJ");
  add(
      "total_system_efficiency_ratio", [](Best b) { return b.energy().system_efficiency(); },
      "best_dense_energy_pJ / best_energy_pJ");
  add(
      "data_system_efficiency_over_zero_gated_ratio",
      [](Best b) { return b.data_energy().system_efficiency_over_zero_gated(); },
      "the same with zero-gated tiles that do none of that work");
  add(
      "total_system_efficiency_over_zero_gated_ratio",
      [](Best b) { return b.energy().system_efficiency_over_zero_gated(); },
      "best_zero_gated_energy_pJ / best_energy_pJ");
}

}  // namespace

void add_dataflow_columns(std::vector<Column>& all) {
  const BestColumns add(all);
  for (const Kind& kind : kKinds) add.facts_of(kind);
  for (const Kind& kind : kKinds) add_counts(add, kind);
  add_ratios(add);
}

}  // namespace td::sim
