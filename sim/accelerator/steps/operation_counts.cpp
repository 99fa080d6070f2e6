// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/steps/operation_counts.hpp"

#include <algorithm>

#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/accelerator/steps/step_counter.hpp"
#include "sim/accelerator/timing/timeline.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

/// See OperationCounts::bound. `wide`: results are binary32.
std::int64_t bound_of(const Geometry& geometry, const LayerInfo& layer, Op op, bool wide,
                      const std::vector<std::int64_t>& tile_steps) {
  const std::int64_t element = td::width(geometry.format) / 8;
  const auto beats = [&](std::int64_t count, std::int64_t each) {
    return ceil_div(count * each, geometry.row_bytes());
  };
  const std::int64_t operands = count(layer.shape(operand(op, Which::first))) +
                                count(layer.shape(operand(op, Which::second)));
  const std::int64_t results = count(layer.shape(result_like(op)));
  return std::max({*std::max_element(tile_steps.begin(), tile_steps.end()),
                   beats(operands, element), beats(results, wide ? kWideBytes : element)});
}

std::int64_t clocks_of(const Config& config, const std::vector<Job>& jobs,
                       const std::vector<PassSteps>& steps, const MemoryTiming& memory) {
  Timeline timeline(config, memory, false);
  auto next = steps.begin();
  for (const Job& job : jobs) {
    timeline.begin_job();
    for (const Descriptor& descriptor : job) {
      const bool computes = std::holds_alternative<ComputeDescriptor>(descriptor);
      timeline.add(descriptor, computes ? *next++ : PassSteps());
    }
    timeline.end_job();
  }
  return timeline.clocks();
}

}  // namespace

void OperationCounts::add(const OperationCounts& other) {
  clocks += other.clocks;
  bound += other.bound;
  tile_steps.resize(other.tile_steps.size());
  for (std::size_t t = 0; t < tile_steps.size(); ++t) tile_steps[t] += other.tile_steps[t];
  sim::add(levels, other.levels);
}

OperationCounts count_operation(const Config& config, const OperandSource& source,
                                const StepOperation& operation, bool wide,
                                const MemoryTiming& memory) {
  const Geometry geometry = geometry_of(config);
  const Operand on_b = operand(operation.op, operation.cut.options.scheduled);
  const JobCounts counted =
      count_jobs(config, operation.jobs,
                 {source, *operation.layer, on_b,
                  operation.placement.operands[static_cast<std::size_t>(on_b)]});
  OperationCounts counts;
  counts.clocks = clocks_of(config, operation.jobs, counted.steps, memory);
  counts.tile_steps = counted.compute.tile_cycles;
  counts.bound = bound_of(geometry, *operation.layer, operation.op, wide, counts.tile_steps);
  counts.levels = level_bytes(geometry, counted.moved, counted.compute);
  counts.work = tile_work(geometry, counted.compute, ComputeCounts());
  return counts;
}

}  // namespace td::sim
