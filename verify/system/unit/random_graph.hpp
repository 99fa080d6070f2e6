// SPDX-License-Identifier: Apache-2.0
// Graphs drawn at random, and what must hold of every schedule.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sim/system/graph/execution.hpp"

namespace td::unit {

/// Tasks on up to four resources of all policies, and on none; edges lead to later tasks, fixed
/// orders are of ids. Durations are whole numbers, some 0, so that sums are exact and many are
/// equal.
inline job::Graph random_graph(std::mt19937& random, std::uint32_t most_tasks = 40) {
  const auto draw = [&random](std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  };
  job::Graph graph("random");
  const std::uint32_t resources = draw(1, 4);
  for (std::uint32_t i = 0; i < resources; ++i) {
    graph.add(
        {fmt::format("r{}", i), job::ResourceKind::compute, static_cast<job::Policy>(draw(0, 2))});
  }
  const std::uint32_t tasks = draw(1, most_tasks);
  for (std::uint32_t i = 0; i < tasks; ++i) {
    job::Task task;
    task.name = fmt::format("t{}", i);
    task.resource = draw(0, resources) == resources ? job::kNoResource : draw(0, resources - 1);
    task.seconds = draw(0, 5);
    const bool fixed = task.resource != job::kNoResource &&
                       graph.resources()[task.resource].policy == job::Policy::fixed;
    task.rank = fixed ? i : draw(0, 9);
    graph.add(std::move(task));
    for (std::uint32_t edge = draw(0, std::min(i, 3U)); edge > 0; --edge) {
      graph.add_edge(draw(0, i - 1), i);
    }
  }
  return graph;
}

/// What a schedule does that none may: the first such thing, or nothing.
inline std::string schedule_fault(const job::Graph& graph, const job::Schedule& schedule) {
  const auto& tasks = graph.tasks();
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (schedule.start[t] < 0) return tasks[t].name + " starts before 0";
    if (schedule.end[t] != schedule.start[t] + tasks[t].seconds) return tasks[t].name + " is cut";
    if (schedule.end[t] > schedule.makespan) return tasks[t].name + " ends after the makespan";
  }
  for (const job::Edge& edge : graph.edges()) {
    if (schedule.start[edge.after] < schedule.end[edge.before]) {
      return tasks[edge.after].name + " starts before its input " + tasks[edge.before].name;
    }
  }
  std::vector<std::vector<job::TaskId>> of_resource(graph.resources().size());
  for (job::TaskId t = 0; t < tasks.size(); ++t) {
    if (tasks[t].resource != job::kNoResource) of_resource[tasks[t].resource].push_back(t);
  }
  for (std::vector<job::TaskId>& on : of_resource) {
    std::sort(on.begin(), on.end(), [&](job::TaskId a, job::TaskId b) {
      return std::make_pair(schedule.start[a], schedule.end[a]) <
             std::make_pair(schedule.start[b], schedule.end[b]);
    });
    for (std::size_t i = 1; i < on.size(); ++i) {
      if (schedule.start[on[i]] < schedule.end[on[i - 1]]) {
        return tasks[on[i]].name + " overlaps " + tasks[on[i - 1]].name;
      }
    }
  }
  return "";
}

}  // namespace td::unit
