// SPDX-License-Identifier: Apache-2.0
// Sums over the operations of a run.
#include "sim/results/run_result.hpp"

#include <algorithm>

#include "base/configuration/parameters.hpp"

namespace td::sim {

namespace {

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
  sum.energy.dense_pJ += operation.energy.dense_pJ;
  sum.energy.zero_gated_pJ += operation.energy.zero_gated_pJ;
  sum.energy.tensordash_pJ += operation.energy.tensordash_pJ;
  sum.zero_free.cycles += operation.zero_free.cycles;
  sum.zero_free.dense_pJ += operation.zero_free.dense_pJ;
  sum.zero_free.zero_gated_pJ += operation.zero_free.zero_gated_pJ;
  sum.ungated_cycles += operation.ungated_cycles;
  sum.ungated_pJ += operation.ungated_pJ;
  if (operation.machine) {
    if (!sum.machine) sum.machine.emplace();
    sum.machine->add(*operation.machine);
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
    if (parameter.is_of_tile()) continue;
    sizes.push_back({parameter.path().substr(parameter.path().find('.') + 1), parameter.get(config),
                     parameter.minimum});
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
