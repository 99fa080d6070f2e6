// SPDX-License-Identifier: Apache-2.0
// A job that saves checkpoints and fails: what it loses, and how long it takes to be back where it
// was (CheckFreq; Mohan et al., FAST 2021).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "sim/system/checkfreq/checkfreq.hpp"

namespace td::job {

/// Time of the first failure after `now_s`; infinity where there is none.
using NextFailure = std::function<double(double now_s)>;

struct FailingJob {
  CheckpointProfile profile;
  CheckpointPlan plan;  ///< interval to begin with, overhead of a snapshot
  std::int64_t iterations = 1;
  double restart_s = 0;  ///< from a failure until training goes on from what was saved
  std::optional<double> limit_percent;  ///< the interval adapts to what a snapshot takes
  double slow_from_s = std::numeric_limits<double>::infinity();
  double slow_factor = 1;  ///< snapshots and the way to the disk take so many times as long
};

struct FailingRun {
  double seconds = 0;       ///< until the last iteration ends
  double iterations_s = 0;  ///< of all iterations that ended, redone ones too
  double stalled_s = 0;     ///< training waited for snapshots, and for the disk before them
  double cut_s = 0;         ///< iterations and snapshots that a failure ended
  double restarts_s = 0;
  std::int64_t redone = 0;  ///< iterations that were done before
  std::int64_t failures = 0;
  std::int64_t checkpoints = 0;  ///< that reached the disk
  std::int64_t interval = 1;     ///< in the end
  double worst_lost_s = 0;       ///< of a failure: time since the state that was saved
  double mean_lost_s = 0;
  double mean_recovery_s = 0;        ///< from a failure until its lost iterations are done again
  double overhead_percent = 0;       ///< stalled_s of iterations_s
  double late_overhead_percent = 0;  ///< the same in the second half of the iterations
};

/// Failures drawn anew behind each: the time to the next does not depend on that since the last.
NextFailure drawn_failures(double mean_s, std::uint64_t seed);

/// As checkpointed_job runs it, and where a failure strikes: what is not on the disk is lost, an
/// iteration that is under way too.
FailingRun run_failing_job(const FailingJob& job, const NextFailure& next_failure);

}  // namespace td::job
