// SPDX-License-Identifier: Apache-2.0
#include "sim/system/training/kinds.hpp"

#include <fmt/format.h>

#include "base/support/error.hpp"
#include "sim/system/graph/execution.hpp"
#include "sim/system/graph/transformation.hpp"
#include "sim/system/profile/profile_table.hpp"
#include "sim/system/training/training.hpp"

namespace td::job {

namespace {

constexpr double kParameterBytes = 4;
constexpr double kMostRate = 1e18;
constexpr double kMostSeconds = 1e12;
constexpr double kMostPieces = 1e12;

double steady(const Graph& graph) { return *steady_seconds(graph, execute(graph)); }

RingExchange read_ring(const TomlTable& table, const Cluster& cluster, double default_mib) {
  constexpr double mebibyte = 1024.0 * 1024;
  RingExchange exchange;
  exchange.accelerators = cluster.accelerators;
  exchange.bytes_per_s = cluster.link_bytes_per_s;
  const bool given = table.has("bucket_mib");
  exchange.bucket_bytes =
      mebibyte * (given ? table.number("bucket_mib", 0, kMostPieces) : default_mib);
  return exchange;
}

/// Refuses a what-if that a graph has nothing for.
void require(const Graph& graph, const char* kind, bool (*serves)(const Task&), const char* what) {
  if (select(graph, serves).empty()) {
    throw UserError(graph.source(), "transformation.kind", kind,
                    fmt::format("a what-if for this graph, whose tasks have no {}", what));
  }
}

bool makes_gradients(const Task& task) { return task.phase == "backward" && task.bytes > 0; }
bool updates(const Task& task) { return task.phase == "update"; }

constexpr const char* kGradients = "gradients: graph.kind = \"training\" makes them";

}  // namespace

void answer_p3(const CaseFile& file, const CaseOutput& print) {
  constexpr double bytes_of_gbit = 1e9 / 8;
  constexpr std::int64_t iterations = 8;
  each_case(file, [&](const JsonValue& one) {
    const std::string model = one.member("model", "model").name();
    const double rate =
        one.member("gbit_per_s", "gbit_per_s").number(1e-9, kMostRate) * bytes_of_gbit;
    const Profile profile =
        read_layer_profile(file.sibling("pipedream", fmt::format("profile_{}.json", model)));
    const Graph graph = training_graph(profile, {iterations, 0, 0});
    const auto sliced = [&](double parameters) {
      return steady(exchange_with_servers(graph, {rate, parameters * kParameterBytes, true}));
    };
    Json line = identity(one, {"model", "gbit_per_s"});
    line["compute_s"] = compute_seconds(profile);
    const double whole = steady(exchange_with_servers(graph, {rate, 0, false}));
    line["whole_tensor_fifo_s"] = whole;
    for (const double parameters : {50000.0, 40000.0}) {
      line[fmt::format("p3_slices_{}_s", parameters)] = sliced(parameters);
    }
    line["gain_percent"] = 100 * (whole / line["p3_slices_50000_s"].get<double>() - 1);
    print(line);
  });
}

Graph build_training(const GraphRequest& request) {
  const TomlTable& table = request.table;
  table.allow_only({"kind", "profile", "snapshot", "batch", "profile_batch", "without_weights",
                    "iterations", "update_bytes_per_s", "update_launch_s"});
  const Profile profile = read_profile_of(table, request.hardware);
  TrainingOptions options;
  constexpr std::int64_t most = 1 << 20;
  options.iterations = table.has("iterations") ? table.integer("iterations", 1, most) : 1;
  if (table.has("update_bytes_per_s")) {
    options.update_bytes_per_s = table.number("update_bytes_per_s", 1, kMostRate);
  }
  if (table.has("update_launch_s")) {
    if (options.update_bytes_per_s == 0)
      table.fail("update_launch_s", "(absent), without update_bytes_per_s");
    options.update_launch_s = table.number("update_launch_s", 0, kMostSeconds);
  }
  return training_graph(profile, options);
}

Transformation read_parameter_servers(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind", "piece_parameters", "by_priority"});
  ServerExchange exchange;
  exchange.bytes_per_s = cluster.link_bytes_per_s;
  if (table.has("piece_parameters")) {
    exchange.piece_bytes = table.number("piece_parameters", 1, kMostPieces) * kParameterBytes;
  }
  exchange.by_priority = table.has("by_priority") && table.boolean("by_priority");
  return [exchange](Graph graph) {
    require(graph, "parameter_servers", makes_gradients, kGradients);
    return exchange_with_servers(std::move(graph), exchange);
  };
}

double step_seconds_of(const TomlTable& table, const Cluster& cluster, const Profile& profile) {
  constexpr double usual_mib = 25;
  return step_seconds(profile, read_ring(table, cluster, usual_mib));
}

Transformation read_all_reduce(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind", "bucket_mib"});
  const RingExchange exchange = read_ring(table, cluster, 0);
  return [exchange](Graph graph) {
    require(graph, "all_reduce", makes_gradients, kGradients);
    return exchange_by_all_reduce(std::move(graph), exchange);
  };
}

Transformation read_fused_updates(const TomlTable& table, const Cluster&) {
  table.allow_only({"kind", "launch_s"});
  const double launch_s = table.number("launch_s", 0, kMostSeconds);
  return [launch_s](Graph graph) {
    require(graph, "fused_updates", updates, "updates: graph.update_bytes_per_s makes them");
    return fuse_updates(std::move(graph), launch_s);
  };
}

}  // namespace td::job
