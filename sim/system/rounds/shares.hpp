// SPDX-License-Identifier: Apache-2.0
// What share of its time each job should run on each type, under the policies that rounds follow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/system/rounds/job_trace.hpp"

namespace td::job {

/// Names as in Gavel's evaluation; `_perf` sees how fast a job is on each type.
enum class RoundPolicy {
  fifo,       ///< in order of arrival, on the fastest type with room, until the job is done
  fifo_perf,  ///< in order of arrival, each on the type that is best for it of those with room
  max_min_fairness,
  max_min_fairness_perf,
  finish_time_fairness_perf,
  min_total_duration_perf
};
const char* to_string(RoundPolicy policy);
std::optional<RoundPolicy> round_policy(const std::string& name);

/// A policy that sees the jobs' speeds prefers fast types; of the others, fairness takes them in
/// any order.
bool sees_types(RoundPolicy policy);
bool in_order_of_arrival(RoundPolicy policy);

/// What a policy knows of a job that waits or runs.
struct ShareRequest {
  const TraceJob* job;
  double steps_left = 0;
  double waiting_s = 0;                   ///< since its arrival
  std::optional<std::size_t> holds = {};  ///< the type on which fifo has put it
};

/// Shares of time by job, then by type: at most 1 a job, and of a type no more than it has. The
/// jobs are in the order of arrival; fifo sets `holds`.
std::vector<std::vector<double>> shares_of(RoundPolicy policy, const std::vector<WorkerType>& types,
                                           std::vector<ShareRequest>& jobs,
                                           const std::string& source);

}  // namespace td::job
