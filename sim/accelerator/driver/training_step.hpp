// SPDX-License-Identifier: Apache-2.0
// A training step of a traced network: where its tensors lie in memory, and the jobs that make its
// results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gen/configuration/geometry.hpp"
#include "sim/accelerator/driver/driver.hpp"
#include "sim/accelerator/driver/port.hpp"
#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/planner.hpp"
#include "sim/mapping/selection.hpp"
#include "sim/trace/trace.hpp"

namespace td::sim {

struct StepOptions {
  bool dense = false;                            ///< drop nothing
  bool wide = false;                             ///< results as binary32, whatever the operands are
  std::uint64_t base = 0;                        ///< where the memory begins
  std::uint64_t bytes = std::uint64_t{1} << 32;  ///< how much there is of it
};

/// An operation of a layer, planned.
struct StepOperation {
  const LayerInfo* layer;
  Op op;
  Cut cut;
  Placement placement;
  TensorLayout result;
  std::vector<Job> jobs;
};

/// The trace must outlive this.
class TrainingStep {
 public:
  /// Plans all operations that are selected, each in jobs of its own. The operand with more zeros
  /// is on side B. Throws UserError when one cannot be planned or the memory is too small.
  TrainingStep(const Geometry& geometry, const Trace& trace, const LayerSelection& selection,
               const StepOptions& options);

  const std::vector<StepOperation>& operations() const { return operations_; }

  /// All that jobs touch.
  MemorySpan memory() const { return {options_.base, end_}; }

  /// Writes the operands of all operations to memory, and clears the results.
  void write_operands(Port& port) const;

  /// Runs an operation's jobs.
  JobsEnd run(Driver& driver, const StepOperation& operation) const;

  /// Its result's bits, in the order of the tensor's shape.
  std::vector<std::uint32_t> read_result(Port& port, const StepOperation& operation) const;

 private:
  /// An operand of a layer, in memory.
  struct Stored {
    const LayerInfo* layer;
    Operand operand;
    std::uint64_t address;
  };

  std::uint64_t take(std::uint64_t bytes, const std::string& field);
  void add_layer(const SelectedLayer& selected);

  Geometry geometry_;
  const Trace& trace_;
  StepOptions options_;
  std::vector<Stored> operands_;
  std::vector<StepOperation> operations_;
  MemorySpan list_;  ///< where the jobs of an operation are written
  std::uint64_t end_;
};

}  // namespace td::sim
