// SPDX-License-Identifier: Apache-2.0
#include "sim/system/graph/graph.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/support/error.hpp"

namespace td::job {

namespace {

Neighbours neighbours(const Graph& graph, TaskId Edge::*from, TaskId Edge::*to) {
  Neighbours result;
  result.begin.assign(graph.tasks().size() + 1, 0);
  result.items.resize(graph.edges().size());
  for (const Edge& edge : graph.edges()) ++result.begin[edge.*from + 1];
  for (std::size_t t = 1; t < result.begin.size(); ++t) result.begin[t] += result.begin[t - 1];
  std::vector<std::size_t> next(result.begin);
  for (const Edge& edge : graph.edges()) result.items[next[edge.*from]++] = edge.*to;
  return result;
}

}  // namespace

std::string_view to_string(ResourceKind kind) {
  constexpr std::string_view names[] = {"compute", "link", "input", "disk"};
  return names[static_cast<std::size_t>(kind)];
}

ResourceId Graph::add(Resource resource) {
  resources_.push_back(std::move(resource));
  return static_cast<ResourceId>(resources_.size() - 1);
}

TaskId Graph::add(Task task) {
  if (task.resource != kNoResource && task.resource >= resources_.size()) {
    throw UserError(source_, fmt::format("task {} resource", task.name),
                    fmt::format("{}", task.resource),
                    fmt::format("one of the {} resources", resources_.size()));
  }
  check_seconds(task.name, task.seconds);
  if (static_cast<std::int64_t>(tasks_.size()) == kMostTasks) {
    throw UserError(
        source_, "tasks", fmt::format("more than {}", kMostTasks),
        fmt::format("at most {}: fewer iterations, microbatches, layers or accelerators",
                    kMostTasks));
  }
  tasks_.push_back(std::move(task));
  return static_cast<TaskId>(tasks_.size() - 1);
}

void Graph::add_edge(TaskId before, TaskId after) {
  check_task(before);
  check_task(after);
  edges_.push_back({before, after});
}

void Graph::set_seconds(TaskId task, double seconds) {
  check_task(task);
  check_seconds(tasks_[task].name, seconds);
  tasks_[task].seconds = seconds;
}

void Graph::set_rank(TaskId task, std::int64_t rank) {
  check_task(task);
  tasks_[task].rank = rank;
}

void Graph::set_policy(ResourceId resource, Policy policy) {
  resources_.at(resource).policy = policy;
}

void Graph::check_seconds(const std::string& name, double seconds) const {
  if (std::isfinite(seconds) && seconds >= 0) return;
  throw UserError(source_, fmt::format("task {} seconds", name), fmt::format("{}", seconds),
                  "0 or more, and finite");
}

void Graph::check_task(TaskId task) const {
  if (task < tasks_.size()) return;
  throw UserError(source_, "task", fmt::format("{}", task),
                  fmt::format("one of the {} tasks", tasks_.size()));
}

Neighbours successors(const Graph& graph) { return neighbours(graph, &Edge::before, &Edge::after); }

Neighbours predecessors(const Graph& graph) {
  return neighbours(graph, &Edge::after, &Edge::before);
}

}  // namespace td::job
