// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/training_step.hpp"

#include <algorithm>

#include "sim/accelerator/packed.hpp"
#include "sim/trace/quantised_operands.hpp"

namespace td::sim {

TrainingStep::TrainingStep(const Config& config, const Trace& trace,
                           const LayerSelection& selection, const StepOptions& options)
    : geometry_(geometry_of(config)),
      source_(operands_of(trace, geometry_.format)),
      layout_(config, *source_, selection, options) {
  std::vector<Cut> cuts;
  for (const PlacedOperation& operation : layout_.operations()) {
    cuts.push_back(layout_.cut(operation));
  }
  std::uint64_t bytes = 0;
  for (StepJobs jobs(layout_, cuts); !jobs.done();) {
    operations_.push_back(jobs.next());
    bytes = std::max(bytes, Driver::bytes(operations_.back().jobs));
  }
  list_.begin = layout_.take(bytes, "descriptors");
  list_.end = layout_.memory().end;
}

void TrainingStep::write_operands(Port& port) const {
  for (const StepLayout::Stored& stored : layout_.operands()) {
    const TensorLayout layout(*stored.layer, stored.operand, geometry_);
    auto bytes = layout.pack(load_bits(*source_, *stored.layer, stored.operand, geometry_.format));
    if (stored.packed) bytes = pack_blocks(geometry_, bytes);
    port.write_memory(stored.address, bytes.data(), bytes.size());
  }
  for (const StepOperation& operation : operations_) {
    const std::vector<std::uint8_t> zeros(static_cast<std::size_t>(operation.result.bytes()));
    port.write_memory(operation.placement.result, zeros.data(), zeros.size());
  }
}

JobsEnd TrainingStep::run(Driver& driver, const StepOperation& operation) const {
  return driver.run(operation.jobs, list_);
}

std::vector<std::uint32_t> TrainingStep::read_result(Port& port, const StepOperation& operation) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(operation.result.bytes()));
  port.read_memory(operation.placement.result, bytes.data(), bytes.size());
  return operation.result.unpack(bytes.data());
}

}  // namespace td::sim
