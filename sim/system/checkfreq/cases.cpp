// SPDX-License-Identifier: Apache-2.0
#include "sim/system/checkfreq/cases.hpp"

#include "sim/system/checkfreq/checkfreq.hpp"

namespace td::job {

namespace {

constexpr double kLeastSeconds = 1e-9;
constexpr double kMostSeconds = 1e9;
constexpr double kMostMegabytes = 1e12;
constexpr double kMostPercent = 1e12;
constexpr std::uint64_t kMostIterations = std::uint64_t{1} << 40;

/// `number(key, least, most)` reads a field of either kind of file.
template <class Number>
CheckpointProfile read_profile(const Number& number) {
  constexpr double megabyte = 1e6;
  CheckpointProfile profile;
  profile.iteration_s = number("iteration_s", kLeastSeconds, kMostSeconds);
  profile.checkpoint_bytes = number("checkpoint_mb", 0, kMostMegabytes) * megabyte;
  profile.free_bytes = number("free_gpu_mb", 0, kMostMegabytes) * megabyte;
  profile.host_copy_s = number("cpu_snapshot_s", 0, kMostSeconds);
  profile.accelerator_copy_s = number("gpu_snapshot_s", 0, kMostSeconds);
  profile.full_s = number("full_checkpoint_s", 0, kMostSeconds);
  return profile;
}

template <class Object>
void write_plan(const CheckpointPlan& plan, Object& line) {
  line["snapshot_kind"] = plan.on_accelerator ? "gpu" : "cpu";
  line["overhead_s"] = plan.overhead_s;
  line["interval_iterations"] = plan.interval;
  line["overhead_percent"] = plan.overhead_percent;
  line["worst_lost_work_s"] = plan.worst_lost_s;
}

}  // namespace

void answer_checkfreq(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    const CheckpointProfile profile =
        read_profile([&one](const char* key, double least, double most) {
          return one.member(key, key).number(least, most);
        });
    Json line = identity(one, {"iteration_s", "checkpoint_mb", "free_gpu_mb", "cpu_snapshot_s",
                               "gpu_snapshot_s", "full_checkpoint_s"});
    write_plan(plan_checkpoints(profile), line);
    print(line);
  });
}

void answer_checkfreq_adaptive(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    std::int64_t interval =
        one.member("start_interval", "start_interval").integer(1, kMostIterations);
    const double limit = one.member("limit_percent", "limit_percent").number(0, kMostPercent);
    Json line = identity(one, {"start_interval", "limit_percent", "measured_overhead_percent"});
    line["interval_after"] = Json::array();
    const char* measured = "measured_overhead_percent";
    for (const double percent : one.member(measured, measured).numbers(0, kMostPercent)) {
      interval = adapted_interval(interval, percent, limit);
      line["interval_after"].push_back(interval);
    }
    print(line);
  });
}

Plan plan_checkpoint_interval(const TomlTable& table, const Cluster&) {
  table.allow_only({"kind", "iteration_s", "checkpoint_mb", "free_gpu_mb", "cpu_snapshot_s",
                    "gpu_snapshot_s", "full_checkpoint_s", "bound_percent"});
  const CheckpointProfile profile =
      read_profile([&table](const char* key, double least, double most) {
        return table.number(key, least, most);
      });
  const CheckpointPlan plan =
      plan_checkpoints(profile, table.number("bound_percent", 1e-6, kMostPercent));
  Plan lines = Plan::object();
  write_plan(plan, lines);
  // What execution has to say: the formula is a bound.
  constexpr std::int64_t intervals = 20;
  const std::int64_t iterations = intervals * plan.interval;
  if (iterations <= std::int64_t{1} << 20) {
    const double plain = static_cast<double>(iterations) * profile.iteration_s;
    const Graph job = checkpointed_job(profile, plan, iterations, table.file());
    lines["executed_iterations"] = iterations;
    lines["executed_overhead_percent"] = 100 * (training_seconds(job) / plain - 1);
  }
  return lines;
}

}  // namespace td::job
