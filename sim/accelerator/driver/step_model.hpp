// SPDX-License-Identifier: Apache-2.0
// A training step without the hardware: the functional model computes it, the timeline counts
// clocks.
#pragma once

#include "base/configuration/config.hpp"
#include "sim/accelerator/driver/driver.hpp"
#include "sim/accelerator/driver/model_port.hpp"
#include "sim/accelerator/driver/training_step.hpp"
#include "sim/accelerator/model/memory.hpp"
#include "sim/accelerator/steps/operation_counts.hpp"
#include "sim/accelerator/timing/timeline.hpp"

namespace td::sim {

class StepModel {
 public:
  /// Writes the operands to a memory of its own. The step must outlive this.
  StepModel(const Config& config, const TrainingStep& step, const MemoryTiming& memory);

  /// Runs the next operation of the step. Throws std::runtime_error if a job ends with an error.
  OperationCounts run(const StepOperation& operation);

  /// Its memory.
  Port& port() { return port_; }

 private:
  const TrainingStep& step_;
  MemoryImage image_;
  ModelPort port_;
  Timeline timeline_;
  Driver driver_;
};

/// Runs an operation's jobs. Throws std::runtime_error if one ends with an error.
void run_operation(const TrainingStep& step, Driver& driver, const StepOperation& operation);

}  // namespace td::sim
