// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/step_energy.hpp"

#include <cmath>

namespace td::sim {
namespace {

/// Of so many steps in which a share of the lanes has two operands that are not zero.
double sums(double steps, double share, int lanes) {
  return steps * (1 - std::pow(1 - share, lanes));
}

/// Of the tree's adders over its lanes: those with such a lane below, pair by pair, level by level.
double adds(double steps, double share, int lanes) {
  double count = 0;
  for (int nodes = lanes, below = 2; nodes > 1; nodes = (nodes + 1) / 2, below *= 2) {
    count += nodes / 2 * sums(steps, share, below);
  }
  return count / lanes;
}

/// Whether a row of which a share is zeros takes less with the sparse path off, at its best.
bool gating_pays(const Config& config, const StepEnergy& energy, double zeros) {
  const double pairs = 1 - zeros;
  const int lanes = config.lanes;
  const StepParts sparse{pairs, 1, pairs, pairs, pairs, 0, adds(pairs, 1, lanes)};
  const StepParts gated{1, 1, pairs, pairs, sums(1, pairs, lanes), 0, adds(1, pairs, lanes)};
  return energy_of(gated, energy.gated) < energy_of(sparse, energy.sparse);
}

}  // namespace

double energy_of(const StepParts& counts, const StepParts& costs) {
  double sum = 0;
  for (const StepPart& part : kStepParts) sum += counts.*part.value * (costs.*part.value);
  return sum;
}

StepParts step_counts(const Config& config, const OpCycles& cycles, std::int64_t useful_macs,
                      std::int64_t steps) {
  if (steps == 0) return {};
  const double multipliers = real(std::int64_t{config.rows} * config.columns * config.lanes);
  StepParts counts;
  counts.step = real(steps);
  counts.row = real(cycles.rows);
  counts.choice = real(cycles.multipliers.effectual) / multipliers;
  counts.pair = real(useful_macs) / multipliers;
  counts.sum = sums(counts.step, counts.pair / counts.step, config.lanes);
  counts.add = adds(counts.step, counts.pair / counts.step, config.lanes);
  counts.output = real(cycles.passes);
  return counts;
}

double gating_zero_share(const Config& config, const StepEnergy& energy) {
  constexpr int kShares = 1000;
  for (int share = 0; share < kShares; ++share) {
    const double zeros = static_cast<double>(share) / kShares;
    if (!gating_pays(config, energy, zeros)) return zeros;
  }
  return 1;
}

}  // namespace td::sim
