// SPDX-License-Identifier: Apache-2.0
#include "sim/system/spot/spot_plan.hpp"

#include <fmt/format.h>

#include <map>

#include "sim/system/profile/profile_table.hpp"
#include "sim/system/spot/cost.hpp"
#include "sim/system/training/kinds.hpp"

namespace td::job {

namespace {

constexpr const char* kPriced = "v100";
constexpr const char* kJob = "job";
constexpr double kSecondsOfHour = 3600;
constexpr double kHoursOfDay = 24;

/// The market of which only offers with V100s are left; any of them does the job's work alike.
SpotMarket market_of(const TomlTable& table) {
  SpotMarket market =
      read_spot_market(path_beside(table, "prices"), path_beside(table, "azure_prices"),
                       path_beside(table, "instances"));
  for (std::size_t type = 0; type < market.types.size(); ++type) {
    if (market.types[type].accelerator != kPriced) market.offers[type].clear();
  }
  market.throughputs = {{kJob, {{kPriced, 1}}}};
  return market;
}

double mean_cost(const SpotMarket& market, SpotPolicy policy, double hours) {
  const std::vector<Day> starts = start_days(market);
  double sum = 0;
  for (const Day& start : starts) sum += job_cost(market, policy, kJob, start, hours / kHoursOfDay);
  return sum / static_cast<double>(starts.size());
}

}  // namespace

Plan plan_spot_cost(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind", "profile", "hardware", "snapshot", "batch", "profile_batch",
                    "without_weights", "bucket_mib", "steps", "prices", "azure_prices",
                    "instances"});
  const SpotMarket market = market_of(table);
  constexpr std::int64_t most = std::int64_t{1} << 40;
  const auto steps = static_cast<double>(table.integer("steps", 1, most));
  std::map<SpotPolicy, double> first;
  return plan_by_hardware(table, [&](const std::string& hardware) {
    const double step_s = step_seconds_of(table, cluster, read_profile_of(table, hardware));
    const double hours = steps * step_s / kSecondsOfHour;
    Plan lines = {{"job_hours", hours}};
    for (const SpotPolicy policy : kSpotPolicies) {
      const double cost =
          mean_cost(market, policy, hours) * static_cast<double>(cluster.accelerators);
      lines[fmt::format("cost_usd_{}", to_string(policy))] = cost;
      const auto [base, fresh] = first.emplace(policy, cost);
      if (!fresh) lines[fmt::format("price_at_par_{}", to_string(policy))] = base->second / cost;
    }
    return lines;
  });
}

}  // namespace td::job
