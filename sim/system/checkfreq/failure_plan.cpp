// SPDX-License-Identifier: Apache-2.0
#include "sim/system/checkfreq/failure_plan.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/system/checkfreq/failures.hpp"
#include "sim/system/scenario/units.hpp"

namespace td::job {
namespace {

constexpr double kMost = 1e12, kLeast = 1e-9;
constexpr std::int64_t kMostSimulated = std::int64_t{1} << 32;

CheckpointProfile read_profile(const TomlTable& table) {
  CheckpointProfile profile;
  profile.iteration_s = table.number("iteration_s", kLeast, kMost);
  profile.checkpoint_bytes = table.number("checkpoint_mb", 0, kMost) * kMegabyte;
  profile.free_bytes = table.number("free_gpu_mb", 0, kMost) * kMegabyte;
  profile.host_copy_s = table.number("cpu_snapshot_s", 0, kMost);
  profile.accelerator_copy_s = table.number("gpu_snapshot_s", 0, kMost);
  profile.full_s = table.number("full_checkpoint_s", 0, kMost);
  return profile;
}

FailingJob read_job(const TomlTable& table) {
  FailingJob job;
  const double bound = table.number("bound_percent", 1e-6, 100);
  job.profile = read_profile(table);
  job.plan = plan_checkpoints(job.profile, bound);
  if (table.has("interval_iterations")) {
    job.plan.interval = table.integer("interval_iterations", 1, kMostSimulated);
  }
  job.iterations = table.integer("iterations", 1, kMostSimulated);
  job.restart_s = table.number("restart_s", 0, kMost);
  if (table.has("adaptive") && table.boolean("adaptive")) job.limit_percent = bound;
  if (table.has("slow_factor")) {
    job.slow_factor = table.number("slow_factor", 1, kMost);
    job.slow_from_s = table.number("slow_from_s", 0, kMost);
  }
  return job;
}

NextFailure failures_at(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return [times](double now_s) {
    const auto next = std::upper_bound(times.begin(), times.end(), now_s);
    return next == times.end() ? std::numeric_limits<double>::infinity() : *next;
  };
}

NextFailure read_failures(const TomlTable& table, const FailingJob& job) {
  if (table.has("failures_s")) return failures_at(table.numbers("failures_s", 0, kMost));
  // More often than that, a job may never end.
  const double least =
      2 * (job.restart_s + static_cast<double>(job.plan.interval) * job.profile.iteration_s +
           job.profile.full_s);
  const double mean_s = table.number("mean_between_failures_s", least, kMost);
  const std::int64_t seed = table.has("seed") ? table.integer("seed", 0, std::int64_t{1} << 32) : 0;
  return drawn_failures(mean_s, static_cast<std::uint64_t>(seed));
}

}  // namespace

Plan plan_failures(const TomlTable& table, const Cluster&) {
  table.allow_only({"kind", "iteration_s", "checkpoint_mb", "free_gpu_mb", "cpu_snapshot_s",
                    "gpu_snapshot_s", "full_checkpoint_s", "bound_percent", "interval_iterations",
                    "iterations", "restart_s", "adaptive", "slow_from_s", "slow_factor",
                    "failures_s", "mean_between_failures_s", "seed"});
  const FailingJob job = read_job(table);
  const FailingRun run = run_failing_job(job, read_failures(table, job));
  Plan lines = Plan::object();
  lines["interval_iterations"] = job.plan.interval;
  lines["interval_in_the_end"] = run.interval;
  lines["failures"] = run.failures;
  lines["checkpoints"] = run.checkpoints;
  lines["seconds"] = run.seconds;
  lines["seconds_without_failures_or_checkpoints"] =
      static_cast<double>(job.iterations) * job.profile.iteration_s;
  lines["overhead_percent"] = run.overhead_percent;
  lines["overhead_of_second_half_percent"] = run.late_overhead_percent;
  lines["redone_iterations"] = run.redone;
  lines["worst_lost_s"] = run.worst_lost_s;
  lines["mean_lost_s"] = run.mean_lost_s;
  lines["mean_recovery_s"] = run.mean_recovery_s;
  return lines;
}

}  // namespace td::job
