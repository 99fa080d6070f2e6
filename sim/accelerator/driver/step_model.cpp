// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/step_model.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"

namespace td::sim {

StepModel::StepModel(const Config& config, const TrainingStep& step, const MemoryTiming& memory)
    : step_(step),
      image_{step.memory().begin,
             std::vector<std::uint8_t>(step.memory().end - step.memory().begin)},
      port_(config, image_),
      timeline_(config, memory),
      driver_(port_, geometry_of(config)) {
  port_.model().set_timeline(&timeline_);
  driver_.set_window(step.memory());
  step.write_operands(port_);
}

OperationCounts StepModel::run(const StepOperation& operation) {
  const FunctionalModel& model = port_.model();
  const Geometry& geometry = model.geometry();
  const ComputeCounts before = model.compute_counts();
  const LevelBytes moved = level_bytes(geometry, model.counts(), before);
  const std::int64_t begin = timeline_.clocks();
  const ClockUse used = timeline_.use();
  const auto spans = static_cast<std::ptrdiff_t>(timeline_.spans().size());
  run_operation(step_, driver_, operation);
  const ComputeCounts& after = model.compute_counts();
  OperationCounts counts;
  counts.clocks = timeline_.clocks() - begin;
  counts.use = difference(timeline_.use(), used);
  counts.tile_steps = after.tile_cycles;
  for (std::size_t t = 0; t < counts.tile_steps.size(); ++t) {
    counts.tile_steps[t] -= before.tile_cycles[t];
  }
  counts.levels = difference(level_bytes(geometry, model.counts(), after), moved);
  counts.work = tile_work(geometry, after, before);
  counts.spans.assign(timeline_.spans().begin() + spans, timeline_.spans().end());
  return counts;
}

void run_operation(const TrainingStep& step, Driver& driver, const StepOperation& operation) {
  const JobsEnd end = step.run(driver, operation);
  if (end.error == ErrorCode::none) return;
  throw std::runtime_error(fmt::format("{}: error {} of job {}, descriptor {}", operation.name(),
                                       static_cast<int>(end.error), end.job, end.descriptor));
}

}  // namespace td::sim
