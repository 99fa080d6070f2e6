// SPDX-License-Identifier: Apache-2.0
#include "sim/system/graph/transformation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/support/error.hpp"

namespace td::job {

namespace {

/// A graph with some tasks left out: what is left, and the new id of each old one.
struct Remainder {
  Graph graph;
  std::vector<TaskId> id;  ///< UINT32_MAX of a task that is gone
};

constexpr TaskId kGone = UINT32_MAX;

Remainder without(const Graph& graph, const std::vector<TaskId>& tasks) {
  Remainder rest{Graph(graph.source()), std::vector<TaskId>(graph.tasks().size(), 0)};
  for (const Resource& resource : graph.resources()) rest.graph.add(resource);
  for (const TaskId task : tasks) rest.id.at(task) = kGone;
  for (TaskId task = 0; task < rest.id.size(); ++task) {
    if (rest.id[task] != kGone) rest.id[task] = rest.graph.add(graph.tasks()[task]);
  }
  for (const Edge& edge : graph.edges()) {
    const TaskId before = rest.id[edge.before];
    const TaskId after = rest.id[edge.after];
    if (before != kGone && after != kGone) rest.graph.add_edge(before, after);
  }
  return rest;
}

/// Tasks that stay and that `task` leads to, or comes from, through tasks that are gone.
std::vector<TaskId> stayers(const Neighbours& joined, const std::vector<TaskId>& id, TaskId task) {
  std::vector<TaskId> open = {task};
  std::unordered_set<TaskId> seen;
  std::vector<TaskId> found;
  while (!open.empty()) {
    const TaskId one = open.back();
    open.pop_back();
    for (std::size_t i = joined.begin[one]; i < joined.begin[one + 1]; ++i) {
      const TaskId next = joined.items[i];
      if (!seen.insert(next).second) continue;
      (id[next] == kGone ? open : found).push_back(next);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

Graph apply(Graph graph, const std::vector<Transformation>& transformations) {
  for (const Transformation& transformation : transformations) {
    graph = transformation(std::move(graph));
  }
  return graph;
}

std::vector<TaskId> select(const Graph& graph, const std::function<bool(const Task&)>& predicate) {
  std::vector<TaskId> selected;
  for (TaskId task = 0; task < graph.tasks().size(); ++task) {
    if (predicate(graph.tasks()[task])) selected.push_back(task);
  }
  return selected;
}

Graph scale(Graph graph, const std::vector<TaskId>& tasks, double factor) {
  if (!(std::isfinite(factor) && factor >= 0)) {
    throw UserError(graph.source(), "factor", fmt::format("{}", factor), "0 or more, and finite");
  }
  for (const TaskId task : tasks) graph.set_seconds(task, graph.tasks()[task].seconds * factor);
  return graph;
}

Graph insert(Graph graph, Task task, const std::vector<TaskId>& before,
             const std::vector<TaskId>& after) {
  const TaskId id = graph.add(std::move(task));
  for (const TaskId one : before) graph.add_edge(one, id);
  for (const TaskId one : after) graph.add_edge(id, one);
  return graph;
}

Graph remove(const Graph& graph, const std::vector<TaskId>& tasks) {
  Remainder rest = without(graph, tasks);
  const Neighbours after = successors(graph);
  const Neighbours before = predecessors(graph);
  for (const TaskId task : tasks) {
    // A way through removed tasks is drawn at the first of them, whose predecessor stays.
    std::vector<TaskId> from;
    for (std::size_t i = before.begin[task]; i < before.begin[task + 1]; ++i) {
      const TaskId id = rest.id[before.items[i]];
      if (id != kGone) from.push_back(id);
    }
    if (from.empty()) continue;
    for (const TaskId to : stayers(after, rest.id, task)) {
      for (const TaskId one : from) rest.graph.add_edge(one, rest.id[to]);
    }
  }
  return std::move(rest.graph);
}

Graph replace(const Graph& graph, const std::vector<TaskId>& tasks, Task task) {
  Remainder rest = without(graph, tasks);
  const TaskId id = rest.graph.add(std::move(task));
  for (const Edge& edge : graph.edges()) {
    const TaskId before = rest.id[edge.before];
    const TaskId after = rest.id[edge.after];
    if (before != kGone && after == kGone) rest.graph.add_edge(before, id);
    if (before == kGone && after != kGone) rest.graph.add_edge(id, after);
  }
  return std::move(rest.graph);
}

Graph schedule(Graph graph, ResourceId resource, Policy policy,
               const std::function<std::int64_t(const Task&)>& rank) {
  graph.set_policy(resource, policy);
  for (TaskId task = 0; task < graph.tasks().size(); ++task) {
    if (graph.tasks()[task].resource == resource) graph.set_rank(task, rank(graph.tasks()[task]));
  }
  return graph;
}

}  // namespace td::job
