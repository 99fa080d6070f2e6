// SPDX-License-Identifier: Apache-2.0
// How long a network trains on some accelerators, cut into stages.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "partition": a profile's keys, hardware (a list, of a result), minibatches,
/// in_flight (times PipeDream's depth), compression (of activations; by default 1), memory_gb,
/// straight. The cluster says how many accelerators there are, and their links. Each hardware has
/// its lines.
Plan plan_partition(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
