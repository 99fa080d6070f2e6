// SPDX-License-Identifier: Apache-2.0
#include "sim/system/allocation/allocation_plan.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "sim/system/allocation/policy.hpp"
#include "sim/system/profile/profile_table.hpp"
#include "sim/system/training/kinds.hpp"

namespace td::job {
namespace {

constexpr double kMostOfType = 1e6;

constexpr std::pair<const char*, AllocationPolicy> kPlannedPolicies[] = {
    {"max_min_fairness", AllocationPolicy::max_min_fairness},
    {"max_min_fairness_agnostic", AllocationPolicy::max_min_fairness_agnostic},
    {"throughput_sum", AllocationPolicy::throughput_sum},
    {"throughput_per_cost", AllocationPolicy::throughput_per_cost},
    {"finish_time_fairness", AllocationPolicy::finish_time_fairness},
    {"min_total_duration", AllocationPolicy::min_total_duration},
};

void read_types(const TomlTable& table, SharedCluster& shared) {
  shared.price.clear();
  for (const TomlTable& type : table.tables("types")) {
    type.allow_only({"hardware", "count", "usd_per_hour"});
    const std::string hardware = type.name("hardware");
    if (shared.count.count(hardware) > 0) type.fail("hardware", "one that no other type has");
    shared.count[hardware] = type.number("count", 0, kMostOfType);
    shared.price[hardware] = type.number("usd_per_hour", 1e-6, kMostOfType);
  }
}

ClusterJob read_job(const TomlTable& table, const Cluster& cluster, const SharedCluster& shared) {
  table.allow_only({"name", "profile", "snapshot", "batch", "profile_batch", "without_weights",
                    "bucket_mib", "workers", "priority", "steps"});
  constexpr std::int64_t most_workers = 1 << 16;
  constexpr double most_steps = 1e15;
  Cluster workers = cluster;
  workers.accelerators = table.has("workers") ? table.integer("workers", 1, most_workers) : 1;
  ClusterJob job;
  job.workers = static_cast<double>(workers.accelerators);
  if (table.has("priority")) job.priority = table.number("priority", 1e-6, kMostOfType);
  job.steps_remaining = table.number("steps", 1, most_steps);
  for (const auto& [hardware, count] : shared.count) {
    const Profile profile = read_profile_of(table, hardware);
    job.throughput[hardware] = 1 / step_seconds_of(table, workers, profile);
  }
  return job;
}

}  // namespace

Plan plan_allocation(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind", "types", "jobs"});
  SharedCluster shared;
  shared.source = table.file();
  read_types(table, shared);
  std::vector<std::string> names;
  for (const TomlTable& job : table.tables("jobs")) {
    names.push_back(job.name("name"));
    shared.jobs.push_back(read_job(job, cluster, shared));
  }
  Plan plan;
  for (const auto& [policy, which] : kPlannedPolicies) {
    const Allocation found = allocate(shared, which);
    plan[fmt::format("{} objective", policy)] = found.objective;
    for (std::size_t i = 0; i < names.size(); ++i) {
      plan[fmt::format("{} {}", policy, names[i])] = {{"steps_per_s", found.throughput[i]},
                                                      {"share", found.share[i]}};
    }
  }
  return plan;
}

}  // namespace td::job
