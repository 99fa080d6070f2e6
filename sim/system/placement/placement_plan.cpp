// SPDX-License-Identifier: Apache-2.0
#include "sim/system/placement/placement_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/support/error.hpp"
#include "sim/system/placement/split.hpp"
#include "sim/system/profile/profile_table.hpp"

namespace td::job {

namespace {

constexpr double kBytesOfGigabyte = 1e9;

/// A step's graph, and its best split.
struct PlacedStep {
  OperatorGraph graph;
  BlockGraph blocks;
  Split split;
};

/// A training step: a forward and a backward node for each layer, which share a device.
OperatorGraph graph_of(const TomlTable& table, const Cluster& cluster,
                       const NetworkProfile& network) {
  constexpr double weights_and_gradients = 2;
  const double slower =
      table.has("cpu_times_slower") ? table.number("cpu_times_slower", 1e-6, 1e6) : 1;
  OperatorGraph graph;
  graph.source = table.file();
  graph.name = network.model;
  const auto count = static_cast<std::uint32_t>(network.layers.size());
  graph.colors = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ProfiledLayer& layer = network.layers[i];
    const double bytes = layer.activation + weights_and_gradients * layer.parameters;
    graph.nodes.push_back({layer.forward, slower * layer.forward, true, false, i, bytes,
                           layer.activation / cluster.link_bytes_per_s});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const double seconds = network.layers[i].backward;
    graph.nodes.push_back({seconds, slower * seconds, true, true, i, 0, 0});
  }
  for (const auto [from, to] : network.edges) {
    graph.edges.push_back({from, to});
    graph.edges.push_back({count + to, count + from});
    // What goes back is as large as what came: the gradient of the layer's largest input.
    double& back = graph.nodes[count + to].transfer_time;
    back = std::max(back, graph.nodes[from].transfer_time);
  }
  return graph;
}

Devices devices_of(const TomlTable& table, const Cluster& cluster) {
  if (cluster.accelerators > kMostDevices) {
    throw UserError(table.file(), "cluster.accelerators", fmt::format("{}", cluster.accelerators),
                    fmt::format("1 to {} for a placement", kMostDevices));
  }
  Devices devices;
  devices.accelerators = cluster.accelerators;
  if (table.has("cpus")) devices.cpus = table.integer("cpus", 0, kMostDevices);
  if (devices.cpus > 0 && !table.has("cpu_times_slower")) {
    table.fail("cpus", "0 without cpu_times_slower");
  }
  if (table.has("memory_gb")) {
    devices.memory_bytes = table.number("memory_gb", 1e-9, 1e9) * kBytesOfGigabyte;
  }
  return devices;
}

PlacedStep best_placed(const TomlTable& table, const Cluster& cluster,
                       const std::string& hardware) {
  PlacedStep placed;
  placed.graph = graph_of(table, cluster, read_network_of(table, hardware));
  placed.blocks = blocks_of(placed.graph);
  const Devices devices = devices_of(table, cluster);
  const Ideals line = ideals_of_order(placed.blocks);
  placed.split = best_split(placed.graph, placed.blocks, line, devices, Split().max_load);
  const Ideals all = all_ideals(placed.blocks);
  if (all.size() == 0) {
    throw UserError(table.file(), "plan.profile", placed.graph.name,
                    fmt::format("a network of at most {} ideals", kMostIdeals));
  }
  placed.split = best_split(placed.graph, placed.blocks, all, devices, placed.split.max_load);
  if (!std::isfinite(placed.split.max_load)) {
    throw UserError(table.file(), "plan.memory_gb",
                    fmt::format("{}", devices.memory_bytes / kBytesOfGigabyte),
                    "so much that a placement fits");
  }
  return placed;
}

/// "12-9 cpu-3": layers of each device.
std::string layers_of(const Split& split, const BlockGraph& blocks, std::size_t layers) {
  std::string text;
  for (const Part& part : split.parts) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < layers; ++i) {
      const auto found = std::find(part.blocks.begin(), part.blocks.end(), blocks.of_node[i]);
      if (found != part.blocks.end()) ++count;
    }
    text += fmt::format("{}{}{}", text.empty() ? "" : "-", count, part.cpu ? " cpu" : "");
  }
  return text;
}

double largest_load(const OperatorGraph& graph, const BlockGraph& blocks, const Split& split) {
  double load = 0;
  for (const Part& part : split.parts) load = std::max(load, load_of(graph, blocks, part));
  return load;
}

}  // namespace

Plan plan_placement(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind", "profile", "hardware", "snapshot", "batch", "profile_batch",
                    "without_weights", "cpus", "cpu_times_slower", "memory_gb", "split_for"});
  return plan_by_hardware(table, [&](const std::string& hardware) {
    const PlacedStep placed = best_placed(table, cluster, hardware);
    double one = 0;
    for (const OperatorNode& node : placed.graph.nodes) one += node.accelerator_time;
    Plan lines = {{"layers_of_devices",
                   layers_of(placed.split, placed.blocks, placed.graph.nodes.size() / 2)},
                  {"one_accelerator_s", one},
                  {"largest_load_s", placed.split.max_load}};
    if (table.has("split_for")) {
      const Split other = best_placed(table, cluster, table.name("split_for")).split;
      lines["largest_load_of_that_split_s"] = largest_load(placed.graph, placed.blocks, other);
    }
    return lines;
  });
}

}  // namespace td::job
