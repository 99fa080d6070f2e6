// SPDX-License-Identifier: Apache-2.0
// A training step of a traced network, planned, with its tensors in the accelerator's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/driver/driver.hpp"
#include "sim/accelerator/driver/port.hpp"
#include "sim/accelerator/driver/step_jobs.hpp"
#include "sim/accelerator/driver/step_layout.hpp"
#include "sim/mapping/selection.hpp"
#include "sim/trace/trace.hpp"

namespace td::sim {

/// The trace must outlive this.
class TrainingStep {
 public:
  /// Plans all operations that are selected. Throws UserError when one cannot be planned or the
  /// memory is too small.
  TrainingStep(const Config& config, const Trace& trace, const LayerSelection& selection,
               const StepOptions& options);

  /// In the order in which they run.
  const std::vector<StepOperation>& operations() const { return operations_; }

  /// All that jobs touch.
  MemorySpan memory() const { return layout_.memory(); }

  /// Writes the operands of all operations to memory, and clears the results.
  void write_operands(Port& port) const;

  /// Runs an operation's jobs. Those of the operations before must have run, and of one snapshot
  /// its results may be in memory only when those of the next one have.
  JobsEnd run(Driver& driver, const StepOperation& operation) const;

  /// Its result's bits, in the order of the tensor's shape.
  static std::vector<std::uint32_t> read_result(Port& port, const StepOperation& operation);

 private:
  Geometry geometry_;
  std::unique_ptr<OperandSource> source_;
  StepLayout layout_;
  std::vector<StepOperation> operations_;
  MemorySpan list_;  ///< where the jobs of an operation are written
};

}  // namespace td::sim
