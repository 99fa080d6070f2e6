// SPDX-License-Identifier: Apache-2.0
#include "sim/system/checkfreq/checkfreq_cases.hpp"

#include "sim/system/checkfreq/checkfreq.hpp"
#include "sim/system/profile/profile_table.hpp"
#include "sim/system/scenario/units.hpp"
#include "sim/system/training/kinds.hpp"

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
  CheckpointProfile profile;
  profile.iteration_s = number("iteration_s", kLeastSeconds, kMostSeconds);
  profile.checkpoint_bytes = number("checkpoint_mb", 0, kMostMegabytes) * kMegabyte;
  profile.free_bytes = number("free_gpu_mb", 0, kMostMegabytes) * kMegabyte;
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

/// Of a profile: what is measured otherwise follows from rates.
CheckpointProfile profiled_job(const TomlTable& table, const Cluster& cluster,
                               const std::string& hardware) {
  constexpr double bytes_of_parameter = 4;
  const Profile layers = read_profile_of(table, hardware);
  double parameters = 0;
  for (const ProfileLayer& layer : layers.layers) {
    parameters += layer.parameter_bytes / bytes_of_parameter;
  }
  return read_checkpoint(table, parameters, step_seconds_of(table, cluster, layers));
}

/// The interval that keeps the bound, and what execution has to say: the formula is a bound.
Plan interval_of(const TomlTable& table, const CheckpointProfile& profile) {
  const CheckpointPlan plan =
      plan_checkpoints(profile, table.number("bound_percent", 1e-6, kMostPercent));
  Plan lines = Plan::object();
  lines["iteration_s"] = profile.iteration_s;
  lines["checkpoint_mb"] = profile.checkpoint_bytes / kMegabyte;
  write_plan(plan, lines);
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

}  // namespace

CheckpointProfile read_checkpoint(const TomlTable& table, double parameters, double iteration_s) {
  constexpr double most_state = 1e6;
  const auto rate = [&table](const char* key) {
    return table.number(key, kLeastSeconds, kMostMegabytes) * kMegabyte;
  };
  CheckpointProfile profile;
  profile.iteration_s = iteration_s;
  profile.checkpoint_bytes = parameters * table.number("state_bytes_per_parameter", 0, most_state);
  profile.free_bytes = table.number("free_gpu_mb", 0, kMostMegabytes) * kMegabyte;
  profile.host_copy_s = profile.checkpoint_bytes / rate("cpu_copy_mb_per_s");
  profile.accelerator_copy_s = profile.checkpoint_bytes / rate("gpu_copy_mb_per_s");
  const double snapshot_s = plan_checkpoints(profile).overhead_s;
  profile.full_s = snapshot_s + profile.checkpoint_bytes / rate("disk_mb_per_s");
  return profile;
}

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

Plan plan_checkpoint_interval(const TomlTable& table, const Cluster& cluster) {
  if (table.has("profile")) {
    table.allow_only({"kind", "profile", "hardware", "snapshot", "batch", "profile_batch",
                      "without_weights", "bucket_mib", "state_bytes_per_parameter", "free_gpu_mb",
                      "cpu_copy_mb_per_s", "gpu_copy_mb_per_s", "disk_mb_per_s", "bound_percent"});
    return plan_by_hardware(table, [&](const std::string& hardware) {
      return interval_of(table, profiled_job(table, cluster, hardware));
    });
  }
  table.allow_only({"kind", "iteration_s", "checkpoint_mb", "free_gpu_mb", "cpu_snapshot_s",
                    "gpu_snapshot_s", "full_checkpoint_s", "bound_percent"});
  return interval_of(table, read_profile([&table](const char* key, double least, double most) {
                       return table.number(key, least, most);
                     }));
}

}  // namespace td::job
