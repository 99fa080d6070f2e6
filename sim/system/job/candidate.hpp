// SPDX-License-Identifier: Apache-2.0
// One way to run a job, and what it takes until its last epoch ends.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/system/checkfreq/checkfreq.hpp"
#include "sim/system/job/composition.hpp"
#include "sim/system/stalls/stalls.hpp"

namespace td::job {

/// Accelerators that are had for a price, and are lost from time to time.
struct Offering {
  std::string name;                        ///< "on_demand" or "spot"
  double usd_per_hour = 0;                 ///< of an accelerator
  std::optional<double> mean_between_s{};  ///< losses of one accelerator; nothing: it is never lost
};

struct JobOptions {
  double samples_per_step = 1;
  double samples = 1;  ///< of the job: all epochs
  /// The data path that feeds this rate; nothing: data are there.
  std::function<DataPath(double accelerator_samples_per_s)> data_path{};
  double cached_share = 0;
  /// Of a checkpoint, for these bytes of parameters on each accelerator and this step; nothing:
  /// none is taken.
  std::function<CheckpointProfile(double parameters, double step_s)> checkpoint{};
  double bound_percent = 1;
  double restart_s = 0;
  std::uint64_t seed = 0;
  double watts = 0;       ///< of an accelerator that computes
  double idle_watts = 0;  ///< ... that waits
};

/// Where a job's seconds go. They add up to all of them.
struct JobSeconds {
  double compute = 0;
  double split = 0;  ///< between shards of layers
  double pipeline = 0;
  double exchange = 0;
  double input = 0;      ///< training waits for data
  double snapshots = 0;  ///< for checkpoints
  double lost = 0;       ///< in steps that were cut off or done again
  double restarts = 0;

  double total() const {
    return compute + split + pipeline + exchange + input + snapshots + lost + restarts;
  }
};

struct Candidate {
  Composition composition;
  Offering offering;
  ComposedStep step;
  JobSeconds seconds;
  double usd = 0;
  double kwh = 0;  ///< of all accelerators, each as busy as the busiest
};

/// Nothing where the accelerators are lost so often that the job might never end.
std::optional<Candidate> candidate_of(const Profile& replica, const Composition& composition,
                                      const ComposedStep& step, const Offering& offering,
                                      const JobOptions& options);

}  // namespace td::job
