// SPDX-License-Identifier: Apache-2.0
// The interval of exchanges as a plan.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "exchange_interval": intervals (iterations, rising), losses: a CSV file with the
/// columns from_decision, interval, loss_percent, of which a row holds until the next one of its
/// interval; decisions; tolerated_percent, accuracy_weight, communication_weight, forget.
Plan plan_exchange_interval(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
