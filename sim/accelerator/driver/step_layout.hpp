// SPDX-License-Identifier: Apache-2.0
// Where the tensors of a training step lie in memory, and how each of its operations is cut.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/configuration/geometry.hpp"
#include "sim/accelerator/driver/plan_store.hpp"
#include "sim/accelerator/driver/plan_trial.hpp"
#include "sim/accelerator/layout.hpp"
#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/accelerator/plan/placement.hpp"
#include "sim/accelerator/timing/bus/memory_clock.hpp"
#include "sim/mapping/selection.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

struct StepOptions {
  bool dense = false;                            ///< drop nothing
  bool drops_anyway = false;                     ///< ... or pairs, where that does not pay, too
  bool wide = false;                             ///< results as binary32; of fp8 always bfloat16
  bool packed = false;                           ///< operands, where plans cost less with it
  std::uint64_t base = 0;                        ///< where the memory begins
  std::uint64_t bytes = std::uint64_t{1} << 32;  ///< how much there is of it
  Aim aim;                                       ///< of the plans
  MemoryTiming memory;                           ///< that they are made for
  const PlanStore* store = nullptr;              ///< where plans of other runs are, if anywhere
};

/// An operation of a layer, and where its tensors lie.
struct PlacedOperation {
  const LayerInfo* layer;
  Op op;
  Placement placement;
  TensorLayout result;
  std::array<PackedBlocks, 3> packed = {};  ///< operands

  /// As messages name it: "late/conv1/fwd".
  std::string name() const;
};

constexpr std::uint64_t kAlignment = 64;  ///< everything begins at a multiple of this

/// The source must outlive this.
class StepLayout {
 public:
  /// Places the operands of every layer that is selected, and the results of its operations, one
  /// behind the other. Throws UserError when the memory is too small, or cannot be read packed;
  /// CannotPlan where it is asked what is worth packing of an operation that no plan does.
  StepLayout(const Config& config, const OperandSource& source, const LayerSelection& selection,
             const StepOptions& options);

  const std::vector<PlacedOperation>& operations() const { return operations_; }

  /// An operand of a layer, in memory.
  struct Stored {
    const LayerInfo* layer;
    Operand operand;
    std::uint64_t address;
    bool packed;
  };
  const std::vector<Stored>& operands() const { return operands_; }

  /// All that has been taken.
  MemorySpan memory() const { return {options_.base, end_}; }

  /// The next bytes of the memory, for `field`, from a multiple of `alignment` on. Throws UserError
  /// when there are not that many.
  std::uint64_t take(std::uint64_t bytes, const std::string& field,
                     std::uint64_t alignment = kAlignment);

  /// How an operation is cut; the operand with more zeros is on side B. Throws UserError when it
  /// cannot be planned. Threads may call at once.
  Cut cut(const PlacedOperation& placed) const;

  /// ... as `asked`, whatever its operands' zeros are. Shares of zeros are rounded, and all packed
  /// blocks of an operand take the usual rows, so that layers that repeat have one plan; tensors
  /// begin with a burst, so that plans do not depend on where they are.
  Plans plans(const PlacedOperation& placed, const PlanOptions& asked) const;

  Operation operation(const PlacedOperation& placed) const;
  const Geometry& geometry() const { return geometry_; }

 private:
  PlanOptions asked(const LayerInfo& layer, Op op) const;
  std::string question(const LayerInfo& layer, const Operation& usual,
                       const PlanOptions& options) const;
  Plans plan(const Operation& usual, const PlanOptions& options, const std::string& field,
             const std::string& asked_for) const;
  std::array<PackedBlocks, 3> packed_operands(const SelectedLayer& selected) const;
  void add_layer(const SelectedLayer& selected);

  Config config_;
  Geometry geometry_;
  const OperandSource& source_;
  StepOptions options_;
  std::vector<Stored> operands_;
  std::vector<PlacedOperation> operations_;
  std::uint64_t end_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Plans> kept_;  ///< by question
};

}  // namespace td::sim
