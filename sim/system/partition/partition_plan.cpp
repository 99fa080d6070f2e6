// SPDX-License-Identifier: Apache-2.0
#include "sim/system/partition/partition_plan.hpp"

#include <fmt/format.h>

#include "base/support/error.hpp"
#include "sim/system/partition/execution.hpp"
#include "sim/system/profile/profile_table.hpp"

namespace td::job {

namespace {

constexpr double kBytesOfGigabyte = 1e9;

PartitionRequest read_request(const TomlTable& table, const Cluster& cluster) {
  constexpr std::int64_t most_accelerators = 1024;
  if (cluster.accelerators > most_accelerators) {
    throw UserError(table.file(), "cluster.accelerators", std::to_string(cluster.accelerators),
                    fmt::format("1 to {} for a partition", most_accelerators));
  }
  PartitionRequest request;
  request.levels = {{cluster.accelerators, cluster.link_bytes_per_s}};
  request.compression = table.has("compression") ? table.number("compression", 1e-9, 1e9) : 1;
  if (table.has("memory_gb")) {
    request.memory_bytes = table.number("memory_gb", 0, 1e9) * kBytesOfGigabyte;
  }
  request.in_flight = table.has("in_flight") ? table.integer("in_flight", 1, 64) : 1;
  request.straight = table.has("straight") && table.boolean("straight");
  request.use_fewer = true;
  return request;
}

std::string replicas_of(const std::vector<Stage>& stages) {
  std::string text;
  for (const Stage& stage : stages) {
    text += fmt::format("{}{}", text.empty() ? "" : "-", stage.replicas);
  }
  return text;
}

/// Seconds, or null where the whole network is too large for one accelerator.
Plan if_whole_fits(double seconds, const CutState& whole, const PartitionRequest& request) {
  const double bytes = whole.parameters + whole.activation;
  if (request.memory_bytes && bytes > *request.memory_bytes) return nullptr;
  return seconds;
}

/// What is decided for one profile; `hardware` is of a result of tdsim, or empty.
Plan plan_of(const TomlTable& table, const Cluster& cluster, const std::string& hardware) {
  const std::string path = path_beside(table, "profile");
  const NetworkProfile network = read_network_of(table, hardware);
  const std::vector<CutState> states = cut_states(network, path);
  const PartitionRequest request = read_request(table, cluster);
  const Partition found = partition(states, request, path);
  if (found.seconds == kInfeasible) {
    throw UserError(table.file(), "plan.memory_gb",
                    fmt::format("{}", *request.memory_bytes / kBytesOfGigabyte),
                    "so much that a partition fits");
  }
  const PartitionRun run{states, request, found.stages, *request.in_flight};
  const double executed = executed_seconds(run, table.file());
  const Plan data_parallel =
      if_whole_fits(data_parallel_seconds(states, request.levels), states.back(), request);
  Plan plan;
  plan["model"] = network.model;
  plan["replicas_of_stages"] = replicas_of(found.stages);
  plan["minibatches_in_flight_of_first_worker"] = warmup_depth(run, 0);
  plan["bound_s_per_minibatch"] = found.seconds;
  plan["pipeline_s_per_minibatch"] = executed;
  plan["data_parallel_s_per_minibatch"] = data_parallel;
  plan["one_accelerator_s_per_minibatch"] =
      if_whole_fits(states.back().seconds, states.back(), request);
  if (table.has("minibatches")) {
    constexpr double seconds_of_hour = 3600;
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const double count = static_cast<double>(table.integer("minibatches", 1, most));
    plan["pipeline_hours"] = executed * count / seconds_of_hour;
    if (data_parallel.is_number()) {
      plan["data_parallel_hours"] = data_parallel.get<double>() * count / seconds_of_hour;
    }
  }
  return plan;
}

}  // namespace

Plan plan_partition(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind", "profile", "hardware", "snapshot", "batch", "profile_batch",
                    "without_weights", "minibatches", "in_flight", "compression", "memory_gb",
                    "straight"});
  return plan_by_hardware(
      table, [&](const std::string& hardware) { return plan_of(table, cluster, hardware); });
}

}  // namespace td::job
