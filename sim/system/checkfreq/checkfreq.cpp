// SPDX-License-Identifier: Apache-2.0
#include "sim/system/checkfreq/checkfreq.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/system/graph/execution.hpp"

namespace td::job {

namespace {

/// Iterations added where the overhead is above the limit.
constexpr std::int64_t kStep = 2;

CheckpointPlan with_interval(const CheckpointProfile& profile, CheckpointPlan plan,
                             std::int64_t interval) {
  const double between = static_cast<double>(interval) * profile.iteration_s;
  plan.interval = interval;
  plan.overhead_percent = 100 * plan.overhead_s / between;
  plan.worst_lost_s = 2 * between;
  return plan;
}

std::int64_t iterations_to_fill(double seconds, double iteration_s) {
  return std::max<std::int64_t>(std::llround(std::ceil(seconds / iteration_s)), 1);
}

}  // namespace

CheckpointPlan plan_checkpoints(const CheckpointProfile& profile) {
  CheckpointPlan plan;
  plan.on_accelerator = profile.checkpoint_bytes <= profile.free_bytes &&
                        profile.accelerator_copy_s <= profile.host_copy_s;
  plan.overhead_s = plan.on_accelerator ? profile.accelerator_copy_s : profile.host_copy_s;
  return with_interval(profile, plan,
                       iterations_to_fill(profile.full_s - plan.overhead_s, profile.iteration_s));
}

CheckpointPlan plan_checkpoints(const CheckpointProfile& profile, double bound_percent) {
  const CheckpointPlan plan = plan_checkpoints(profile);
  const double between = 100 * plan.overhead_s / bound_percent;
  const std::int64_t least = iterations_to_fill(between, profile.iteration_s);
  return with_interval(profile, plan, std::max(plan.interval, least));
}

std::int64_t adapted_interval(std::int64_t interval, double measured_percent,
                              double limit_percent) {
  return measured_percent > limit_percent ? interval + kStep : interval;
}

Graph checkpointed_job(const CheckpointProfile& profile, const CheckpointPlan& plan,
                       std::int64_t iterations, const std::string& source) {
  Graph graph(source);
  const ResourceId accelerator = graph.add({"accelerator", ResourceKind::compute, Policy::fifo});
  const ResourceId disk = graph.add({"disk", ResourceKind::disk, Policy::fifo});
  std::optional<TaskId> last;
  std::optional<TaskId> saved;
  const auto add = [&graph](const std::string& phase, std::int64_t done, ResourceId on,
                            double seconds) {
    return graph.add({fmt::format("{} {}", phase, done), on, seconds, 0, "", phase});
  };
  for (std::int64_t done = 1; done <= iterations; ++done) {
    const TaskId iteration = add("iteration", done, accelerator, profile.iteration_s);
    if (last) graph.add_edge(*last, iteration);
    last = iteration;
    if (done % plan.interval != 0) continue;
    const TaskId snapshot = add("snapshot", done, accelerator, plan.overhead_s);
    graph.add_edge(iteration, snapshot);
    if (saved) graph.add_edge(*saved, snapshot);
    const double rest = std::max(profile.full_s - plan.overhead_s, 0.0);
    saved = add("persist", done, disk, rest);
    graph.add_edge(snapshot, *saved);
    last = snapshot;
  }
  return graph;
}

double training_seconds(const Graph& job) {
  const Schedule schedule = execute(job);
  double seconds = 0;
  for (std::size_t id = 0; id < job.tasks().size(); ++id) {
    if (job.tasks()[id].phase != "persist") seconds = std::max(seconds, schedule.end[id]);
  }
  return seconds;
}

}  // namespace td::job
