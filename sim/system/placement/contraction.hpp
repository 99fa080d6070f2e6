// SPDX-License-Identifier: Apache-2.0
// Graphs whose branches are contracted until a chain is left, as PipeDream's planner wants one.
#pragma once

#include "sim/system/placement/operator_graph.hpp"

namespace td::job {

/// The graph with one colour for all that give to one biconnected component: what branches shares a
/// device. Forward nodes without time and memory give to none; a mask that all layers read would
/// make them one.
OperatorGraph contracted(OperatorGraph graph);

}  // namespace td::job
