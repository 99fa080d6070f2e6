// SPDX-License-Identifier: Apache-2.0
// What a job on accelerators of ours would cost at spot prices.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "spot": a profile's keys, hardware, bucket_mib, and steps of the job; prices,
/// azure_prices and instances are files as the spot reference has them. Nobody sells such
/// accelerators: each is taken to have the price that one V100 has, so that costs differ by the
/// jobs' times alone. Of each policy the mean over the start days, of all accelerators together;
/// `price_at_par` is how many times as much an hour may cost until the first hardware is as cheap.
Plan plan_spot_cost(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
