// SPDX-License-Identifier: Apache-2.0
// How long jobs take under a policy at a load: rounds over drawn traces, several seeds each.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/rounds/job_trace.hpp"
#include "sim/system/rounds/rounds.hpp"

namespace td::job {

struct StudyPoint {
  RoundPolicy policy = RoundPolicy::max_min_fairness_perf;
  double jobs_per_hour = 1;
};

/// What all points have in common. Their own policy, load and seed replace those in here.
struct Study {
  JobKinds kinds;
  TraceModel model;
  RoundOptions options;
  std::vector<std::uint64_t> seeds;
};

/// Means over the seeds for each point, in their order; overloaded where one seed's was. The points
/// and seeds run side by side.
std::vector<RoundsResult> run_study(const Study& study, const std::vector<StudyPoint>& points);

}  // namespace td::job
