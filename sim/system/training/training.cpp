// SPDX-License-Identifier: Apache-2.0
#include "sim/system/training/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/support/error.hpp"
#include "sim/system/graph/execution.hpp"

namespace td::job {

namespace {

/// Adds all tasks of a graph, each behind the one before.
class Chain {
 public:
  explicit Chain(Graph& graph)
      : graph_(graph), on_(graph.add({"accelerator", ResourceKind::compute, Policy::fifo})) {}

  void add(const std::string& phase, const ProfileLayer& layer, std::int64_t iteration,
           double seconds, double bytes) {
    Task task;
    task.name = fmt::format("{} {} {}", phase, layer.name, iteration);
    task.resource = on_;
    task.seconds = seconds;
    task.layer = layer.name;
    task.phase = phase;
    task.iteration = iteration;
    task.bytes = bytes;
    const TaskId id = graph_.add(std::move(task));
    if (id > 0) graph_.add_edge(id - 1, id);
  }

 private:
  Graph& graph_;
  ResourceId on_;
};

/// Tasks that wait for the gradients of a layer and iteration: its update, else its next forward
/// pass.
class Users {
 public:
  explicit Users(const Graph& graph) {
    for (TaskId id = 0; id < graph.tasks().size(); ++id) {
      const Task& task = graph.tasks()[id];
      // The update comes later in the graph, and is the one that is kept.
      if (task.phase == "forward") users_.emplace(std::pair(task.iteration - 1, task.layer), id);
      if (task.phase == "update") users_[{task.iteration, task.layer}] = id;
    }
  }

  std::vector<TaskId> of(const Task& backward) const {
    const auto found = users_.find({backward.iteration, backward.layer});
    return found == users_.end() ? std::vector<TaskId>() : std::vector<TaskId>{found->second};
  }

 private:
  std::map<std::pair<std::int64_t, std::string>, TaskId> users_;
};

std::vector<TaskId> with_gradients(const Graph& graph) {
  return select(graph, [](const Task& task) { return task.phase == "backward" && task.bytes > 0; });
}

/// The position of each layer in the forward pass.
std::map<std::string, std::int64_t> positions(const Graph& graph) {
  std::map<std::string, std::int64_t> position;
  for (const Task& task : graph.tasks()) {
    if (task.phase == "forward" && task.iteration == 0) {
      position.emplace(task.layer, static_cast<std::int64_t>(position.size()));
    }
  }
  return position;
}

Task transfer(const Task& gradient, const std::string& phase, ResourceId link, double seconds,
              std::int64_t piece) {
  Task task;
  task.name = fmt::format("{} {} {} {}", phase, gradient.layer, gradient.iteration, piece);
  task.resource = link;
  task.seconds = seconds;
  task.layer = gradient.layer;
  task.phase = phase;
  task.iteration = gradient.iteration;
  return task;
}

}  // namespace

Graph training_graph(const Profile& profile, const TrainingOptions& options) {
  Graph graph(profile.source);
  const auto& layers = profile.layers;
  const auto tasks = static_cast<std::int64_t>(layers.size()) * 3;
  if (tasks > 0 && options.iterations > kMostTasks / tasks) {
    throw UserError(profile.source, "iterations", fmt::format("{}", options.iterations),
                    fmt::format("1..{}", kMostTasks / tasks));
  }
  Chain chain(graph);
  for (std::int64_t i = 0; i < options.iterations; ++i) {
    for (const ProfileLayer& layer : layers) chain.add("forward", layer, i, layer.forward_s, 0);
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
      chain.add("backward", *layer, i, layer->backward_s, layer->parameter_bytes);
    }
    for (const ProfileLayer& layer : layers) {
      if (options.update_bytes_per_s == 0 || layer.parameter_bytes == 0) continue;
      const double pass = layer.parameter_bytes / options.update_bytes_per_s;
      chain.add("update", layer, i, options.update_launch_s + pass, 0);
    }
  }
  return graph;
}

Graph exchange_with_servers(Graph graph, const ServerExchange& exchange) {
  const Users users(graph);
  const auto position = positions(graph);
  const Policy policy = exchange.by_priority ? Policy::priority : Policy::fifo;
  const ResourceId up = graph.add({"uplink", ResourceKind::link, policy});
  const ResourceId down = graph.add({"downlink", ResourceKind::link, policy});
  for (const TaskId id : with_gradients(graph)) {
    const Task gradient = graph.tasks()[id];
    const double whole = exchange.piece_bytes > 0 ? exchange.piece_bytes : gradient.bytes;
    const double pieces = std::ceil(gradient.bytes / whole);
    if (pieces + static_cast<double>(graph.tasks().size()) > static_cast<double>(kMostTasks)) {
      throw UserError(graph.source(), "piece_bytes", fmt::format("{}", whole),
                      fmt::format("one that makes at most {} tasks", kMostTasks));
    }
    const auto count = static_cast<std::int64_t>(pieces);
    for (std::int64_t piece = 0; piece < count; ++piece) {
      const double sent = whole * static_cast<double>(piece);
      const double seconds = std::min(whole, gradient.bytes - sent) / exchange.bytes_per_s;
      // Pieces of a layer are ranked behind all of the layers ahead of it.
      const std::int64_t rank = (position.at(gradient.layer) << 32) + piece;
      Task upward = transfer(gradient, "up", up, seconds, piece);
      Task downward = transfer(gradient, "down", down, seconds, piece);
      upward.rank = downward.rank = rank;
      const auto sent_task = static_cast<TaskId>(graph.tasks().size());
      graph = insert(std::move(graph), std::move(upward), {id}, {});
      graph = insert(std::move(graph), std::move(downward), {sent_task}, users.of(gradient));
    }
  }
  return graph;
}

Graph exchange_by_all_reduce(Graph graph, const RingExchange& exchange) {
  const Users users(graph);
  const ResourceId link = graph.add({"link", ResourceKind::link, Policy::fifo});
  const auto n = static_cast<double>(exchange.accelerators);
  std::vector<TaskId> before;
  std::vector<TaskId> after;
  double bytes = 0;
  const std::vector<TaskId> gradients = with_gradients(graph);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const Task gradient = graph.tasks()[gradients[i]];
    before.push_back(gradients[i]);
    for (const TaskId user : users.of(gradient)) after.push_back(user);
    bytes += gradient.bytes;
    const bool last = i + 1 == gradients.size() ||
                      graph.tasks()[gradients[i + 1]].iteration != gradient.iteration;
    if (bytes < exchange.bucket_bytes && !last) continue;
    const double seconds = 2 * (n - 1) / n * bytes / exchange.bytes_per_s;
    graph =
        insert(std::move(graph), transfer(gradient, "all_reduce", link, seconds, 0), before, after);
    before.clear();
    after.clear();
    bytes = 0;
  }
  return graph;
}

double step_seconds(const Profile& profile, const RingExchange& exchange) {
  if (exchange.accelerators == 1) return compute_seconds(profile);
  constexpr std::int64_t until_steady = 4;
  const Graph graph =
      exchange_by_all_reduce(training_graph(profile, {until_steady, 0, 0}), exchange);
  return *steady_seconds(graph, execute(graph));
}

Graph fuse_updates(Graph graph, double launch_s) {
  for (std::int64_t iteration = 0;; ++iteration) {
    const std::vector<TaskId> updates = select(graph, [iteration](const Task& task) {
      return task.phase == "update" && task.iteration == iteration;
    });
    if (updates.empty()) return graph;
    Task fused = graph.tasks()[updates.front()];
    fused.name = fmt::format("update {}", iteration);
    fused.layer.clear();
    fused.seconds = -launch_s * static_cast<double>(updates.size() - 1);
    for (const TaskId update : updates) fused.seconds += graph.tasks()[update].seconds;
    fused.seconds = std::max(fused.seconds, 0.0);
    graph = replace(graph, updates, std::move(fused));
  }
}

}  // namespace td::job
