// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/steps/operation_counts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/accelerator/steps/bound.hpp"
#include "sim/accelerator/steps/step_counter.hpp"
#include "sim/accelerator/timing/timeline.hpp"

namespace td::sim {

namespace {

/// All jobs, one after the other.
Timeline timeline_of(const Config& config, const std::vector<Job>& jobs,
                     std::vector<PassSteps> steps, const MemoryTiming& memory) {
  Timeline timeline(config, memory, false);
  auto next = steps.begin();
  for (const Job& job : jobs) {
    timeline.begin_job();
    for (const Descriptor& descriptor : job) {
      const bool computes = std::holds_alternative<ComputeDescriptor>(descriptor);
      timeline.add(descriptor, computes ? std::move(*next++) : PassSteps());
    }
    timeline.end_job();
  }
  return timeline;
}

/// Clocks of the tiles or of the bus, one way, the other, or both: whichever takes longest.
std::int64_t longest(const Geometry& geometry, const MemoryTiming& memory, std::int64_t steps,
                     const BusBeats& beats) {
  const std::int64_t both = (beats.read + beats.written) * geometry.beat_bytes();
  return std::max({steps, beats.read, beats.written, memory.clocks_of(both)});
}

}  // namespace

std::int64_t OperationCounts::slowest_steps() const {
  return *std::max_element(tile_steps.begin(), tile_steps.end());
}

std::int64_t OperationCounts::all_steps() const {
  return std::accumulate(tile_steps.begin(), tile_steps.end(), std::int64_t{0});
}

void OperationCounts::add(const OperationCounts& other) {
  clocks += other.clocks;
  sim::add(use, other.use);
  bound += other.bound;
  port += other.port;
  tile_steps.resize(other.tile_steps.size());
  for (std::size_t t = 0; t < tile_steps.size(); ++t) tile_steps[t] += other.tile_steps[t];
  sim::add(levels, other.levels);
  beats.read += other.beats.read;
  beats.written += other.beats.written;
}

std::int64_t bound_of(const Config& config, const PlacedOperation& operation, bool wide,
                      const MemoryTiming& memory, std::int64_t steps) {
  const Geometry geometry = geometry_of(config);
  const MovedBytes least =
      least_beats(geometry, *operation.layer, operation.op, wide, operation.packed);
  return longest(geometry, memory, steps, {least.read, least.written});
}

OperationCounts count_operation(const Config& config, const OperandSource& source,
                                const StepOperation& operation, bool wide,
                                const MemoryTiming& memory, bool zeros_in_dense) {
  const Geometry geometry = geometry_of(config);
  const Operand on_b = operand(operation.op, operation.cut.options.scheduled);
  JobCounts counted =
      count_jobs(config, operation.early, operation.jobs,
                 {source, *operation.layer, on_b,
                  operation.placement.operands[static_cast<std::size_t>(on_b)], zeros_in_dense});
  OperationCounts counts;
  const Timeline timeline = timeline_of(config, operation.jobs, std::move(counted.steps), memory);
  counts.clocks = timeline.clocks();
  counts.use = timeline.use();
  counts.tile_steps = counted.compute.tile_cycles;
  counts.bound = bound_of(config, operation, wide, memory, counts.slowest_steps());
  counts.levels = level_bytes(geometry, counted.moved, counted.compute);
  counts.beats = bus_beats(geometry, counted.moved);
  counts.port = longest(geometry, memory, counts.slowest_steps(), counts.beats);
  counts.work = tile_work(geometry, counted.compute, ComputeCounts());
  return counts;
}

}  // namespace td::sim
