// SPDX-License-Identifier: Apache-2.0
// The operations of a training step in their order, and the jobs that carry them out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/accelerator/driver/step_layout.hpp"
#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/job_list.hpp"
#include "sim/accelerator/plan/planner/planner.hpp"

namespace td::sim {

/// A placed operation, and how it is carried out.
struct StepOperation : PlacedOperation {
  Cut cut;
  std::vector<Job> jobs;  ///< with loads for the next operation, and stores of the one before
  std::vector<LoadDescriptor> early;   ///< its loads that are in the jobs of the one before
  std::vector<std::uint64_t> tensors;  ///< where those begin that its jobs touch

  /// Where the tensor begins that an address is in.
  std::uint64_t tensor_of(std::uint64_t address) const;

  /// Where those begin that its jobs load or store, in the order in which they first do.
  std::vector<std::uint64_t> moved() const;

  /// Of the jobs, with addresses from where the tensors begin: FNV-1a of each job's number of
  /// descriptors, and of those as memory has them. Where it is the same, the same is carried out.
  std::uint64_t plan_hash() const;
};

/// Operations, by their place, as a training step has them: of each snapshot forward layer by
/// layer, and then backward, in each layer the gradients of activations first.
std::vector<std::size_t> training_order(const std::vector<PlacedOperation>& operations);

/// The operand that is made of the results of the operation right before, if any is: activations
/// come from the layer before; output gradients from the layer behind, or from the loss.
std::optional<Operand> made_of_results(const PlacedOperation& before,
                                       const PlacedOperation& operation);

/// Writes the jobs of one operation after the other.
class StepJobs {
 public:
  /// `cuts`: of the layout's operations. Both must outlive this.
  StepJobs(const StepLayout& layout, const std::vector<Cut>& cuts);

  bool done() const { return next_ == order_.size(); }
  std::size_t place() const { return order_[next_]; }  ///< of the next one in the layout
  StepOperation next();

 private:
  bool follows(std::size_t next) const;

  const StepLayout& layout_;
  const std::vector<Cut>& cuts_;
  std::vector<std::size_t> order_;
  std::size_t next_ = 0;
  Planner planner_;
};

}  // namespace td::sim
