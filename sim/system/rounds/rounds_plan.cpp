// SPDX-License-Identifier: Apache-2.0
// [plan] kind = "cluster_rounds".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/support/error.hpp"
#include "sim/system/rounds/rounds_cases.hpp"
#include "sim/system/rounds/study.hpp"
#include "sim/system/scenario/units.hpp"

namespace td::job {
namespace {

constexpr double kMostPlanSeconds = 1e9, kMostPlanRate = 1e6;
constexpr std::int64_t kMostJobs = 1 << 20, kMostSeed = std::int64_t{1} << 32;

std::map<std::string, std::size_t> read_workers(const TomlTable& table) {
  const std::vector<std::string> types = table.names("types");
  const auto counts = table.integers("counts", 1, 1 << 16);
  if (counts.size() != types.size()) table.fail("counts", "as many numbers as there are types");
  std::map<std::string, std::size_t> workers;
  for (std::size_t i = 0; i < types.size(); ++i) {
    workers[types[i]] = static_cast<std::size_t>(counts[i]);
  }
  return workers;
}

std::vector<RoundPolicy> read_policies(const TomlTable& table) {
  std::vector<RoundPolicy> policies;
  for (const std::string& name : table.names("policies")) {
    const auto policy = round_policy(name);
    if (!policy) {
      table.fail("policies",
                 "of fifo, fifo_perf, max_min_fairness, max_min_fairness_perf, "
                 "finish_time_fairness_perf and min_total_duration_perf");
    }
    policies.push_back(*policy);
  }
  return policies;
}

RoundOptions read_options(const TomlTable& table) {
  RoundOptions options;
  const auto seconds = [&table](const char* key, double least, double& value) {
    if (table.has(key)) value = table.number(key, least, kMostPlanSeconds);
  };
  seconds("round_s", 1e-3, options.round_s);
  seconds("between_s", 0, options.between_s);
  seconds("restart_s", 0, options.restart_s);
  if (options.restart_s >= options.round_s) table.fail("restart_s", "less than round_s");
  return options;
}

double rounded(double value, double per_unit) { return std::round(value * per_unit) / per_unit; }

/// Adds what became of the jobs that count, under names that begin with the policy's; `put` puts a
/// number where it belongs. Figures that change with the seeds have no more digits than they show.
template <class Put>
void write_result(RoundPolicy policy, const RoundsResult& result, const Put& put) {
  const auto line = [&](const char* name, double value) {
    put(fmt::format("{} {}", to_string(policy), name),
        result.overloaded ? Plan(nullptr) : Plan(value));
  };
  constexpr double hundredths = 100, tenths = 10;
  line("average_completion_hours", rounded(result.average_completion_s / kHour, hundredths));
  line("makespan_hours", rounded(result.makespan_s / kHour, hundredths));
  line("busy_percent", rounded(100 * result.busy_share, tenths));
}

Plan plan_of_trace(const TomlTable& table, const JobKinds& kinds, RoundOptions options) {
  const std::vector<TraceJob> trace = read_trace(path_beside(table, "trace"), kinds);
  options.end_job = trace.size();
  Plan plan = Plan::object();
  for (const RoundPolicy policy : read_policies(table)) {
    options.policy = policy;
    std::size_t next = 0;
    const JobSource source = [&]() -> std::optional<TraceJob> {
      if (next == trace.size()) return std::nullopt;
      return trace[next++];
    };
    write_result(policy, simulate_rounds(kinds.types, source, options, table.file()),
                 [&plan](const std::string& name, const Plan& value) { plan[name] = value; });
  }
  return plan;
}

Study read_study(const TomlTable& table, JobKinds kinds, const RoundOptions& options) {
  Study study{std::move(kinds), {}, options, {}};
  const std::string reference = table.name("reference");
  const auto& types = study.kinds.types;
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const WorkerType& type) { return type.name == reference; });
  if (found == types.end()) table.fail("reference", "one of types");
  study.model.reference = static_cast<std::size_t>(found - types.begin());
  study.model.several_workers = table.has("several_workers") && table.boolean("several_workers");
  const auto jobs = table.integers("jobs", 0, kMostJobs);
  if (jobs.size() != 2 || jobs[0] >= jobs[1]) {
    table.fail("jobs", "two numbers: the first job that counts, and one behind the last");
  }
  study.options.first_job = static_cast<std::size_t>(jobs[0]);
  study.options.end_job = static_cast<std::size_t>(jobs[1]);
  for (const std::int64_t seed : table.integers("seeds", 0, kMostSeed)) {
    study.seeds.push_back(static_cast<std::uint64_t>(seed));
  }
  return study;
}

Plan plan_of_loads(const TomlTable& table, JobKinds kinds, const RoundOptions& options) {
  const Study study = read_study(table, std::move(kinds), options);
  std::vector<StudyPoint> points;
  for (const RoundPolicy policy : read_policies(table)) {
    for (const double rate : table.numbers("jobs_per_hour", 1e-6, kMostPlanRate)) {
      points.push_back({policy, rate});
    }
  }
  const auto results = run_study(study, points);
  Plan plan = Plan::object();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string load = fmt::format("{}/h", points[i].jobs_per_hour);
    write_result(points[i].policy, results[i],
                 [&](const std::string& name, const Plan& value) { plan[name][load] = value; });
  }
  return plan;
}

}  // namespace

Plan plan_cluster_rounds(const TomlTable& table, const Cluster&) {
  JobKinds kinds = read_job_kinds(path_beside(table, "throughputs"), read_workers(table));
  const RoundOptions options = read_options(table);
  if (table.has("trace")) {
    table.allow_only({"kind", "throughputs", "types", "counts", "policies", "round_s", "between_s",
                      "restart_s", "trace"});
    return plan_of_trace(table, kinds, options);
  }
  table.allow_only({"kind", "throughputs", "types", "counts", "policies", "round_s", "between_s",
                    "restart_s", "jobs_per_hour", "reference", "several_workers", "jobs", "seeds"});
  return plan_of_loads(table, std::move(kinds), options);
}

}  // namespace td::job
