// SPDX-License-Identifier: Apache-2.0
// What interleaving two operations of a result of tdsim gains.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "fusion": profile (a result of tdsim), snapshot, hardware, operations (two of
/// them, "LAYER OP"), chunks into which each is cut (default 64). What bounds each, their time one
/// after the other and interleaved, executed, and the gain that no order exceeds.
Plan plan_fusion(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
