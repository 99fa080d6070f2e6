// SPDX-License-Identifier: Apache-2.0
// Discrete-event execution of a graph.
#pragma once

#include <optional>
#include <vector>

#include "sim/system/graph/graph.hpp"

namespace td::job {

/// When each task ran, in seconds from 0.
struct Schedule {
  std::vector<double> start;  ///< of each task
  std::vector<double> end;
  double makespan = 0;  ///< end of the last; 0 without tasks
};

/// Runs all tasks. A task is ready when all that it waits for has ended; an idle resource takes a
/// ready task by its policy. At equal times all that ends is handled first; then resources choose,
/// in the order of their ids. The same graph gives the same schedule.
///
/// Throws UserError for a cycle of edges, naming tasks on it, and for a resource whose fixed order
/// waits for itself.
Schedule execute(const Graph& graph);

/// Seconds in which each resource works.
std::vector<double> busy_seconds(const Graph& graph);

/// Time between the ends of the backward passes of the last two iterations: what an iteration takes
/// once the first ones are over. Nothing for a graph of fewer than two.
std::optional<double> steady_seconds(const Graph& graph, const Schedule& schedule);

}  // namespace td::job
