// SPDX-License-Identifier: Apache-2.0
// How often to checkpoint: CheckFreq (Mohan et al., FAST 2021). A checkpoint is a snapshot of the
// model in memory, which holds up training, and then its way to the disk, which does not.
#pragma once

#include <cstdint>
#include <string>

#include "sim/system/graph/graph.hpp"

namespace td::job {

/// What a profiling run measures.
struct CheckpointProfile {
  double iteration_s = 0;
  double checkpoint_bytes = 0;
  double free_bytes = 0;          ///< in the accelerator's memory
  double accelerator_copy_s = 0;  ///< snapshot into that memory
  double host_copy_s = 0;         ///< snapshot into the host's
  double full_s = 0;              ///< snapshot and the way to the disk
};

struct CheckpointPlan {
  bool on_accelerator = false;  ///< where the snapshot goes
  double overhead_s = 0;        ///< what training waits for a checkpoint
  std::int64_t interval = 1;    ///< iterations between checkpoints
  double overhead_percent = 0;  ///< of the time between them
  double worst_lost_s = 0;      ///< work of two intervals: one checkpoint may be under way
};

/// The smallest interval in which a checkpoint reaches the disk before the next begins.
CheckpointPlan plan_checkpoints(const CheckpointProfile& profile);

/// The same, lengthened until the overhead is at most `bound_percent`.
CheckpointPlan plan_checkpoints(const CheckpointProfile& profile, double bound_percent);

/// The interval after a checkpoint at which this overhead was measured: two iterations more where
/// it is above the limit; never fewer.
std::int64_t adapted_interval(std::int64_t interval, double measured_percent, double limit_percent);

/// A job of so many iterations on one accelerator and one disk, with a checkpoint after every
/// `plan.interval` of them. A snapshot waits until the checkpoint before is on the disk. Phases are
/// "iteration", "snapshot" and "persist"; persist tasks are named by the iterations they save.
Graph checkpointed_job(const CheckpointProfile& profile, const CheckpointPlan& plan,
                       std::int64_t iterations, const std::string& source);

/// When training ends in such a job: the last checkpoint may still be on its way to the disk.
double training_seconds(const Graph& job);

}  // namespace td::job
