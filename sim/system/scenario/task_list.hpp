// SPDX-License-Identifier: Apache-2.0
// Graphs and what-ifs that a scenario writes down itself.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [graph] kind = "tasks": resources = [{name, kind, policy}], tasks = [{name, resource, seconds,
/// after = [names], rank, layer, phase}]. Times in seconds.
Graph build_task_list(const GraphRequest& request);

/// [[transformation]] kind = "scale": the tasks of `layer`, `phase` and `resource` (each a pattern
/// with * and ?, by default all) take `factor` times as long.
Transformation read_scale(const TomlTable& table, const Cluster& cluster);

/// [[transformation]] kind = "insert": one more task, with `name`, `seconds` and a `resource` of
/// the graph, behind the tasks that `after` names and ahead of those of `before`.
Transformation read_insert(const TomlTable& table, const Cluster& cluster);

/// [[transformation]] kind = "remove": such tasks take no time and no resource.
Transformation read_remove(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
