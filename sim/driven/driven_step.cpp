// SPDX-License-Identifier: Apache-2.0
#include "sim/driven/driven_step.hpp"

#include <numeric>

namespace td::sim {

void StepCounts::subtract(const StepCounts& before) {
  clocks -= before.clocks;
  read -= before.read;
  written -= before.written;
}

void StepCounts::add(const StepCounts& other) {
  clocks += other.clocks;
  read += other.read;
  written += other.written;
  cpu_seconds += other.cpu_seconds;
  model.add(other.model);
}

double StepCounts::used() const {
  const std::vector<std::int64_t>& steps = model.tile_steps;
  const auto sum = std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
  const auto tiles = static_cast<double>(steps.size());
  return clocks.spanned == 0
             ? 0
             : static_cast<double>(sum) / tiles / static_cast<double>(clocks.spanned);
}

StepCounts StepRunResult::total(std::size_t mode) const {
  StepCounts sum;
  for (const StepLine& line : lines) sum.add(line.modes[mode]);
  return sum;
}

}  // namespace td::sim
