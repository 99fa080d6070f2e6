// SPDX-License-Identifier: Apache-2.0
// A schedule as a timeline that Perfetto and Chrome's trace viewer show.
#pragma once

#include <string>

#include "sim/system/graph/execution.hpp"

namespace td::job {

/// JSON in the Trace Event Format: a thread for each resource, one more for tasks that occupy none,
/// and a complete event for each task, with times in microseconds.
std::string timeline_json(const Graph& graph, const Schedule& schedule);

}  // namespace td::job
