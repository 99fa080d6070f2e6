// SPDX-License-Identifier: Apache-2.0
// What-ifs as functions from graph to graph that compose: the primitives of Daydream (Zhu et al.,
// USENIX ATC 2020).
#pragma once

#include <functional>
#include <vector>

#include "sim/system/graph/graph.hpp"

namespace td::job {

using Transformation = std::function<Graph(Graph)>;

/// Applies all, the first first.
Graph apply(Graph graph, const std::vector<Transformation>& transformations);

/// Ids of the tasks of which the predicate holds, ascending.
std::vector<TaskId> select(const Graph& graph, const std::function<bool(const Task&)>& predicate);

/// The graph with the durations of `tasks` times `factor`. Throws UserError for a factor that is
/// negative or not finite.
Graph scale(Graph graph, const std::vector<TaskId>& tasks, double factor);

/// The graph with one task more, behind `before` and ahead of `after`.
Graph insert(Graph graph, Task task, const std::vector<TaskId>& before,
             const std::vector<TaskId>& after);

/// The graph without `tasks`; what waited for one of them waits for what that one waited for. Ids
/// close up: what was selected before must be selected anew.
Graph remove(const Graph& graph, const std::vector<TaskId>& tasks);

/// The graph with one task instead of `tasks`: it waits for all that they waited for, and all that
/// waited for one of them waits for it. Ids close up; the new task's is the last.
Graph replace(const Graph& graph, const std::vector<TaskId>& tasks, Task task);

/// The graph whose resource takes its tasks by `policy`, with the ranks that `rank` gives them.
Graph schedule(Graph graph, ResourceId resource, Policy policy,
               const std::function<std::int64_t(const Task&)>& rank);

}  // namespace td::job
