// SPDX-License-Identifier: Apache-2.0
// The backward pass of a captured chain of layers as a scan on tiles, as a plan.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "scan": trace (a captured step, beside the scenario), snapshot (by default the
/// last), layers (a pattern, by default all: linear, one behind the other, ReLU between them),
/// config (a file or preset), tiles (instead of the configuration's), levels (allowed each way, by
/// default all). Cycles of each step of the scan, dense and TensorDash, and of back-propagation.
Plan plan_scan(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
