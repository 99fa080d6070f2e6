// SPDX-License-Identifier: Apache-2.0
// What the jobs of an operation count, without its numbers: which elements of side B are zero
// decides what tiles step, and descriptors what moves.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/accelerator/model/compute_counts.hpp"
#include "sim/accelerator/model/functional_model.hpp"
#include "sim/accelerator/plan/job_list.hpp"
#include "sim/accelerator/timing/compute/pass_steps.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// The tensor on side B, and where it lies.
struct SideB {
  const OperandSource& source;
  const LayerInfo& layer;
  Operand operand;
  std::uint64_t address;
  /// Counts its zeros where pairs are not dropped, too: as skipped, which they are not.
  bool zeros_in_dense = false;
};

/// Counted over all jobs. What depends on numbers is 0: zeros among the results, and passes with an
/// Inf or NaN.
struct JobCounts {
  ModelCounts moved;
  ComputeCounts compute;
  std::vector<PassSteps> steps;  ///< of each compute descriptor, in their order
};

/// Equal to what the functional model counts that runs these jobs on the tensors, but for
/// zeros_in_dense. `early`: loads of the operation that came before these jobs, and are not
/// counted. Throws DescriptorFault for jobs that no planner makes. Uses the threads of the caller's
/// arena to read the tensor.
JobCounts count_jobs(const Config& config, const std::vector<LoadDescriptor>& early,
                     const std::vector<Job>& jobs, const SideB& side_b);

}  // namespace td::sim
