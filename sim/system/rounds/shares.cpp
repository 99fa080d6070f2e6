// SPDX-License-Identifier: Apache-2.0
#include "sim/system/rounds/shares.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sim/system/allocation/policy.hpp"

namespace td::job {
namespace {

using Shares = std::vector<std::vector<double>>;

constexpr std::array<std::pair<const char*, RoundPolicy>, 6> kNames = {
    {{"fifo", RoundPolicy::fifo},
     {"fifo_perf", RoundPolicy::fifo_perf},
     {"max_min_fairness", RoundPolicy::max_min_fairness},
     {"max_min_fairness_perf", RoundPolicy::max_min_fairness_perf},
     {"finish_time_fairness_perf", RoundPolicy::finish_time_fairness_perf},
     {"min_total_duration_perf", RoundPolicy::min_total_duration_perf}}};

/// The type that a job gets of those with room; nothing where there is none.
std::optional<std::size_t> type_with_room(const TraceJob& job, const std::vector<double>& room,
                                          bool best) {
  std::optional<std::size_t> found;
  for (std::size_t j = 0; j < room.size(); ++j) {
    const bool fits = static_cast<double>(job.workers) <= room[j] && job.steps_per_s[j] > 0;
    if (!fits || (found && !best)) continue;
    if (!found || job.steps_per_s[j] > job.steps_per_s[*found]) found = j;
  }
  return found;
}

/// Nobody overtakes: the first job for which there is no room ends the search.
Shares fifo_shares(bool best, const std::vector<WorkerType>& types,
                   std::vector<ShareRequest>& jobs) {
  Shares shares(jobs.size(), std::vector<double>(types.size()));
  std::vector<double> room;
  for (const WorkerType& type : types) room.push_back(static_cast<double>(type.count));
  const auto put = [&](std::size_t i, std::size_t type) {
    shares[i][type] = 1;
    room[type] -= static_cast<double>(jobs[i].job->workers);
  };
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].holds) put(i, *jobs[i].holds);
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].holds) continue;
    const auto type = type_with_room(*jobs[i].job, room, best);
    if (!type) break;
    put(i, *type);
    if (!best) jobs[i].holds = type;
  }
  return shares;
}

/// Time of each job when all get the same number of accelerators on average, but none more than
/// all of its time: the largest such number.
std::vector<double> equal_times(double accelerators, const std::vector<ShareRequest>& jobs) {
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto workers = [&jobs](std::size_t i) { return static_cast<double>(jobs[i].job->workers); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return workers(a) < workers(b); });
  std::vector<double> time(jobs.size());
  double left = accelerators;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double equal = left / static_cast<double>(order.size() - k);
    time[order[k]] = std::min(1.0, equal / workers(order[k]));
    left -= time[order[k]] * workers(order[k]);
  }
  return time;
}

/// Of the many optima that max-min fairness has where it sees no types, the one in which every job
/// has all types in the proportion of their numbers.
Shares even_shares(const std::vector<WorkerType>& types, const std::vector<ShareRequest>& jobs) {
  double all = 0;
  for (const WorkerType& type : types) all += static_cast<double>(type.count);
  Shares shares;
  for (const double time : equal_times(all, jobs)) {
    std::vector<double>& row = shares.emplace_back();
    for (const WorkerType& type : types) {
      row.push_back(time * static_cast<double>(type.count) / all);
    }
  }
  return shares;
}

AllocationPolicy program_of(RoundPolicy policy) {
  if (policy == RoundPolicy::finish_time_fairness_perf) {
    return AllocationPolicy::finish_time_fairness;
  }
  if (policy == RoundPolicy::min_total_duration_perf) return AllocationPolicy::min_total_duration;
  return AllocationPolicy::max_min_fairness;
}

ClusterJob cluster_job(const ShareRequest& one, const std::vector<WorkerType>& types) {
  ClusterJob job;
  job.workers = static_cast<double>(one.job->workers);
  for (std::size_t j = 0; j < types.size(); ++j) {
    job.throughput[types[j].name] = one.job->steps_per_s[j];
  }
  job.steps_remaining = one.steps_left;
  job.seconds_since_start = one.waiting_s;
  return job;
}

/// Max-min fairness treats jobs of one kind alike, so that some optimum gives them equal shares:
/// the program has a job for each kind. Under the other policies each job is its own kind.
Shares optimal_shares(RoundPolicy policy, const std::vector<WorkerType>& types,
                      const std::vector<ShareRequest>& jobs, const std::string& source) {
  SharedCluster cluster{source, {}, {}};
  for (const WorkerType& type : types) cluster.count[type.name] = static_cast<double>(type.count);
  std::map<std::pair<std::vector<double>, std::size_t>, std::size_t> kinds;
  std::vector<std::size_t> kind_of;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const bool alike = policy == RoundPolicy::max_min_fairness_perf;
    const auto kind = std::pair(jobs[i].job->steps_per_s, alike ? jobs[i].job->workers : ~i);
    const auto [found, is_new] = kinds.try_emplace(kind, cluster.jobs.size());
    kind_of.push_back(found->second);
    if (is_new) {
      cluster.jobs.push_back(cluster_job(jobs[i], types));
    } else {
      ++cluster.jobs[found->second].alike;
    }
  }
  const Allocation optimum = allocate(cluster, program_of(policy));
  Shares shares;
  for (const std::size_t kind : kind_of) {
    std::vector<double>& row = shares.emplace_back();
    for (const WorkerType& type : types) {
      row.push_back(std::clamp(optimum.share[kind].at(type.name), 0.0, 1.0));
    }
  }
  return shares;
}

}  // namespace

const char* to_string(RoundPolicy policy) { return kNames[static_cast<std::size_t>(policy)].first; }

std::optional<RoundPolicy> round_policy(const std::string& name) {
  for (const auto& [text, policy] : kNames) {
    if (name == text) return policy;
  }
  return std::nullopt;
}

bool sees_types(RoundPolicy policy) {
  return policy != RoundPolicy::fifo && policy != RoundPolicy::max_min_fairness;
}

bool in_order_of_arrival(RoundPolicy policy) {
  return policy == RoundPolicy::fifo || policy == RoundPolicy::fifo_perf;
}

Shares shares_of(RoundPolicy policy, const std::vector<WorkerType>& types,
                 std::vector<ShareRequest>& jobs, const std::string& source) {
  if (jobs.empty()) return {};
  if (in_order_of_arrival(policy)) {
    return fifo_shares(policy == RoundPolicy::fifo_perf, types, jobs);
  }
  if (policy == RoundPolicy::max_min_fairness) return even_shares(types, jobs);
  return optimal_shares(policy, types, jobs, source);
}

}  // namespace td::job
