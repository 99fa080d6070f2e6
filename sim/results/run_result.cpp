// SPDX-License-Identifier: Apache-2.0
// Sums over the operations of a run.
#include "sim/results/run_result.hpp"

#include <algorithm>

#include "gen/configuration/parameters.hpp"

namespace td::sim {

namespace {

void add(SideRows& sum, const SideRows& side) {
  sum.scratchpad_read_rows.resize(side.scratchpad_read_rows.size());
  for (std::size_t bank = 0; bank < side.scratchpad_read_rows.size(); ++bank) {
    sum.scratchpad_read_rows[bank] += side.scratchpad_read_rows[bank];
  }
  sum.filled_rows += side.filled_rows;
}

void add(OffChip& sum, const OffChip& traffic) {
  sum.read_bytes += traffic.read_bytes;
  sum.written_bytes += traffic.written_bytes;
  sum.sram_written_rows += traffic.sram_written_rows;
  sum.first_written_rows += traffic.first_written_rows;
  sum.transposed_blocks += traffic.transposed_blocks;
  sum.transposer_cycles += traffic.transposer_cycles;
  sum.dram_cycles += traffic.dram_cycles;
}

void add(MemoryTraffic& sum, const MemoryTraffic& traffic) {
  sum.row_bytes = traffic.row_bytes;
  sum.output_row_bytes = traffic.output_row_bytes;
  add(sum.first, traffic.first);
  add(sum.second, traffic.second);
  sum.output_rows += traffic.output_rows;
  add(sum.raw, traffic.raw);
  add(sum.compressed, traffic.compressed);
  sum.dense_raw_cycles += traffic.dense_raw_cycles;
  sum.dense_cycles += traffic.dense_cycles;
  sum.cycles += traffic.cycles;
}

void add(Energy& sum, const Energy& energy) {
  sum.compute_pJ += energy.compute_pJ;
  sum.scratchpad_pJ += energy.scratchpad_pJ;
  sum.sram_pJ += energy.sram_pJ;
  sum.transposer_pJ += energy.transposer_pJ;
  sum.dram_pJ += energy.dram_pJ;
  sum.leakage_pJ += energy.leakage_pJ;
}

void add(DataflowResult& sum, const DataflowResult& result) {
  sum.counts.add(result.counts, 1);
  sum.cycles += result.cycles;
  sum.tile_cycles += result.tile_cycles;
  sum.sram_cycles += result.sram_cycles;
  sum.dram_bytes += result.dram_bytes;
  sum.memory_cycles += result.memory_cycles;
  add(sum.energy, result.energy);
}

void add(BestDataflows& sum, const BestDataflows& best) {
  add(sum.dense, best.dense);
  add(sum.zero_gated, best.zero_gated);
  add(sum.tensordash, best.tensordash);
  sum.zero_free.cycles += best.zero_free.cycles;
  sum.zero_free.memory_cycles += best.zero_free.memory_cycles;
  add(sum.zero_free.dense, best.zero_free.dense);
  add(sum.zero_free.zero_gated, best.zero_free.zero_gated);
}

/// Adds all that can be added: every quantity, and none of the texts.
void add(OpResult& sum, const OpResult& operation) {
  sum.useful_macs += operation.useful_macs;
  OpCycles& cycles = sum.cycles;
  cycles.passes += operation.cycles.passes;
  cycles.rows += operation.cycles.rows;
  cycles.dense_cycles += operation.cycles.dense_cycles;
  cycles.cycles += operation.cycles.cycles;
  cycles.tile_cycles += operation.cycles.tile_cycles;
  for (const Part& part : parts()) {
    cycles.multipliers.*part.cycles += operation.cycles.multipliers.*part.cycles;
  }
  add(sum.traffic, operation.traffic);
  add(sum.energy.dense, operation.energy.dense);
  add(sum.energy.zero_gated, operation.energy.zero_gated);
  add(sum.energy.tensordash, operation.energy.tensordash);
  sum.zero_free.cycles += operation.zero_free.cycles;
  sum.zero_free.memory_cycles += operation.zero_free.memory_cycles;
  add(sum.zero_free.energy, operation.zero_free.energy);
  add(sum.zero_free.zero_gated_energy, operation.zero_free.zero_gated_energy);
  sum.ungated_cycles += operation.ungated_cycles;
  sum.ungated_energy_pJ += operation.ungated_energy_pJ;
  if (operation.best) {
    if (!sum.best) sum.best.emplace();
    add(*sum.best, *operation.best);
  }
}

/// An empty sum of the operations that are added to the same as this one.
OpResult empty_sum(const OpResult& operation, TotalBy by) {
  OpResult sum;
  if (by == TotalBy::op || by == TotalBy::snapshot_op) sum.op = operation.op;
  if (by != TotalBy::op && by != TotalBy::all) sum.snapshot = operation.snapshot;
  if (by == TotalBy::layer) sum.layer = operation.layer;
  return sum;
}

}  // namespace

std::vector<AcceleratorSize> accelerator_sizes(const Accelerator& accelerator) {
  Config config;
  config.accelerator = accelerator;
  std::vector<AcceleratorSize> sizes;
  for (const Parameter& parameter : parameters()) {
    if (parameter.is_of_tile() || parameter.later) continue;
    sizes.push_back(
        {parameter.path().substr(parameter.path().find('.') + 1), parameter.get(config)});
  }
  return sizes;
}

const std::vector<Part>& parts() {
  static const std::vector<Part> all = {
      {"effectual", "effectual", &MultiplierCycles::effectual},
      {"ineffectual", "ineffectual pairs", &MultiplierCycles::ineffectual},
      {"array_edge", "array edge", &MultiplierCycles::array_edge},
      {"channel_padding", "channel padding", &MultiplierCycles::channel_padding},
      {"lane_conflicts", "lane conflicts", &MultiplierCycles::lane_conflicts},
      {"stream_tail", "stream tails", &MultiplierCycles::stream_tail},
      {"row_imbalance", "row imbalance", &MultiplierCycles::row_imbalance},
      {"depth_limit", "depth limit", &MultiplierCycles::depth_limit},
      {"tile_imbalance", "tile imbalance", &MultiplierCycles::tile_imbalance},
  };
  return all;
}

std::vector<OpResult> totals(const std::vector<OpResult>& operations, TotalBy by) {
  std::vector<OpResult> sums;
  for (const OpResult& operation : operations) {
    const OpResult wanted = empty_sum(operation, by);
    auto sum = std::find_if(sums.begin(), sums.end(), [&](const OpResult& one) {
      return one.op == wanted.op && one.snapshot == wanted.snapshot && one.layer == wanted.layer;
    });
    if (sum == sums.end()) sum = sums.insert(sums.end(), wanted);
    add(*sum, operation);
  }
  if (by == TotalBy::op) {
    std::sort(sums.begin(), sums.end(),
              [](const OpResult& a, const OpResult& b) { return a.op < b.op; });
  }
  return sums;
}

}  // namespace td::sim
