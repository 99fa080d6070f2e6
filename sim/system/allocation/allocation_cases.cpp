// SPDX-License-Identifier: Apache-2.0
#include "sim/system/allocation/allocation_cases.hpp"

#include <utility>

#include "sim/system/allocation/policy.hpp"

namespace td::job {
namespace {

constexpr double kMostCount = 1e6, kMostRate = 1e9, kMostSteps = 1e15;

std::map<std::string, double> numbers(const JsonValue& table, double most) {
  std::map<std::string, double> all;
  for (const std::string& key : table.keys()) all[key] = table.member(key, key).number(0, most);
  return all;
}

SharedCluster read_cluster(const JsonValue& one, const std::string& source) {
  SharedCluster cluster;
  cluster.source = source;
  cluster.count = numbers(one.member("cluster", "cluster"), kMostCount);
  const JsonValue jobs = one.member("jobs", "jobs");
  const std::size_t size = jobs.size("an array of jobs");
  for (std::size_t i = 0; i < size; ++i) {
    const JsonValue value = jobs.element(i, "jobs");
    const auto number = [&value](const char* key, double least, double most) {
      return value.member(key, key).number(least, most);
    };
    ClusterJob job;
    job.workers = number("scale_factor", 1, kMostCount);
    job.throughput = numbers(value.member("throughput", "throughput"), kMostRate);
    job.priority = number("priority", 1e-6, kMostCount);
    job.steps_remaining = number("steps_remaining", 1, kMostSteps);
    job.seconds_since_start = number("time_since_start_s", 0, kMostSteps);
    cluster.jobs.push_back(std::move(job));
  }
  return cluster;
}

Json line_of(const Allocation& allocation) {
  return {{"objective", allocation.objective}, {"effective_throughput", allocation.throughput}};
}

constexpr std::pair<const char*, AllocationPolicy> kPolicies[] = {
    {"max_min_fairness_perf", AllocationPolicy::max_min_fairness},
    {"max_min_fairness_agnostic", AllocationPolicy::max_min_fairness_agnostic},
    {"throughput_sum_perf", AllocationPolicy::throughput_sum},
    {"throughput_per_cost_perf", AllocationPolicy::throughput_per_cost},
    {"finish_time_fairness_perf", AllocationPolicy::finish_time_fairness},
    {"min_total_duration_exact_lp", AllocationPolicy::min_total_duration},
};

}  // namespace

void answer_allocations(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    const SharedCluster cluster = read_cluster(one, file.path());
    Json line = identity(one, {"seed", "cluster", "jobs"});
    Json& results = line["results"] = Json::object();
    for (const auto& [name, policy] : kPolicies) results[name] = line_of(allocate(cluster, policy));
    const DurationSearch search =
        search_duration(results["min_total_duration_exact_lp"]["objective"].get<double>());
    results["min_total_duration_perf"] = {{"objective", search.seconds},
                                          {"lp_calls", search.steps}};
    print(line);
  });
}

}  // namespace td::job
