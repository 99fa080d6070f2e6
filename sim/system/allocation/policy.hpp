// SPDX-License-Identifier: Apache-2.0
// Gavel: which share of its time each job of a cluster runs on each type of accelerator, under
// policies that are linear programs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace td::job {

struct ClusterJob {
  double workers = 1;                        ///< accelerators that it takes at once
  std::map<std::string, double> throughput;  ///< steps a second, by type; 0 where it cannot run
  double priority = 1;                       ///< the larger, the larger its share
  double steps_remaining = 1;
  double seconds_since_start = 0;
  double alike = 1;  ///< jobs that this one stands for: all have its shares
};

struct SharedCluster {
  std::string source;                   ///< for messages: file and case
  std::map<std::string, double> count;  ///< accelerators of each type
  std::vector<ClusterJob> jobs;
  /// USD an hour, for throughput_per_cost; by default of Gavel's types.
  std::map<std::string, double> price = {{"k80", 0.45}, {"p100", 1.46}, {"v100", 2.48}};
};

enum class AllocationPolicy {
  max_min_fairness,           ///< largest least share of what a job would have of an equal split
  max_min_fairness_agnostic,  ///< the same, as if all types were equally fast
  throughput_sum,             ///< most steps a second
  throughput_per_cost,        ///< most steps for the price
  finish_time_fairness,  ///< least worst ratio of finish time to that in an n-th of the cluster
  min_total_duration     ///< least time until the last job is over
};

struct Allocation {
  double objective = 0;            ///< minutes are nowhere: seconds, steps a second, or a ratio
  std::vector<double> throughput;  ///< steps a second of each job, in one optimum of many
  std::vector<std::map<std::string, double>> share;  ///< of each job's time, by type, in that one
};

/// The optimum under a policy. Throws UserError where a job can run nowhere, or a type has no
/// price.
Allocation allocate(const SharedCluster& cluster, AllocationPolicy policy);

/// The original's search for the least total duration: it halves 100..1e6 s until both ends are
/// within 5 %, and takes the last duration that was feasible.
struct DurationSearch {
  double seconds = 0;
  std::uint64_t steps = 0;  ///< durations that were tried
};
DurationSearch search_duration(double exact_seconds);

}  // namespace td::job
