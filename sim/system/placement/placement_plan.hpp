// SPDX-License-Identifier: Apache-2.0
// Where a network's layers go, on accelerators and CPUs.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "placement": a profile's keys and hardware; cpus, and cpu_times_slower than an
/// accelerator; memory_gb of an accelerator, for a layer's weights, their gradients and its output;
/// split_for, hardware whose best split is loaded with the others' times, too. The cluster says how
/// many accelerators there are, and their links. The largest load is the time between two steps
/// once the devices work as a pipeline.
Plan plan_placement(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
