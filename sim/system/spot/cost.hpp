// SPDX-License-Identifier: Apache-2.0
// What a training job costs on instances at spot prices, under policies that choose one for it
// (Training on a Dime). Costs are of one accelerator's share of its instance.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/system/spot/market.hpp"

namespace td::job {

enum class SpotPolicy {
  baseline,     ///< the cheapest p3.2xlarge, a V100
  gpu_type,     ///< the most work for the price among instances of one accelerator
  packed,       ///< among all of AWS
  multi_cloud,  ///< and of Azure
  preemption    ///< the same, chosen anew every day
};
inline constexpr std::array kSpotPolicies = {SpotPolicy::baseline, SpotPolicy::gpu_type,
                                             SpotPolicy::packed, SpotPolicy::multi_cloud,
                                             SpotPolicy::preemption};
const char* to_string(SpotPolicy policy);

/// The 30 days on which jobs start: of those with prices of p3.2xlarge, all but the last five, and
/// of these the last.
std::vector<Day> start_days(const SpotMarket& market);

/// USD of a job that takes `days` on a V100, started on a day. A job that has not ended on the last
/// day with prices goes on at that day's.
double job_cost(const SpotMarket& market, SpotPolicy policy, const std::string& model,
                const Day& start, double days);

}  // namespace td::job
