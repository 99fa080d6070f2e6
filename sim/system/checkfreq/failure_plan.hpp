// SPDX-License-Identifier: Apache-2.0
// Jobs that fail, as a plan.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "failures": the keys of checkpoints, iterations, restart_s, and failures_s (times)
/// or mean_between_failures_s and seed; adaptive, slow_from_s and slow_factor; interval_iterations
/// instead of the plan's.
Plan plan_failures(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
