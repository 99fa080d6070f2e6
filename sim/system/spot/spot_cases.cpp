// SPDX-License-Identifier: Apache-2.0
#include "sim/system/spot/spot_cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/support/error.hpp"
#include "sim/system/spot/cost.hpp"

namespace td::job {
namespace {

constexpr const char* kLengthKey = "job_days=";
constexpr int kLengths[] = {4, 8};  ///< days, of a table's jobs

using Costs = std::vector<double>;  ///< of each start day

SpotMarket market_of(const CaseFile& file, const std::string& aws_csv) {
  return read_spot_market(aws_csv, file.sibling("spot", "azure.csv"),
                          file.sibling("spot", "instances_and_throughputs.json"));
}

double mean(const Costs& costs) {
  return std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
}

/// Under each policy, of one model and length of job.
struct ModelCosts {
  Json per_start_day = Json::object(), mean_min_max = Json::object(), reduction = Json::object();
};

ModelCosts costs_of(const SpotMarket& market, const std::string& model, double days) {
  const std::vector<Day> starts = start_days(market);
  ModelCosts all;
  double baseline = 0;
  for (const SpotPolicy policy : kSpotPolicies) {
    Costs costs;
    for (const Day& start : starts) costs.push_back(job_cost(market, policy, model, start, days));
    if (policy == SpotPolicy::baseline) baseline = mean(costs);
    const auto [least, most] = std::minmax_element(costs.begin(), costs.end());
    const char* name = to_string(policy);
    all.mean_min_max[name] = {mean(costs), *least, *most};
    all.reduction[name] = baseline / mean(costs);
    all.per_start_day[name] = std::move(costs);
  }
  return all;
}

Json costs_of_all(const SpotMarket& market, double days) {
  Json all = {{"cost_usd_mean_min_max", Json::object()},
              {"cost_usd_per_start_day", Json::object()},
              {"cost_reduction", Json::object()}};
  for (const auto& [model, rates] : market.throughputs) {
    ModelCosts costs = costs_of(market, model, days);
    all["cost_usd_mean_min_max"][model] = std::move(costs.mean_min_max);
    all["cost_usd_per_start_day"][model] = std::move(costs.per_start_day);
    all["cost_reduction"][model] = std::move(costs.reduction);
  }
  return all;
}

double length_of(const std::string& key, const std::string& path) {
  const std::string prefix = kLengthKey;
  char* end = nullptr;
  const double days = key.rfind(prefix, 0) == 0 ? std::strtod(&key[prefix.size()], &end) : 0;
  if (!(days > 0 && days < 1e6) || *end != '\0') {
    throw UserError(path, "key", key, "job_days=N, of N days");
  }
  return days;
}

}  // namespace

void answer_spot_prices(const CaseFile& file, const CaseOutput& print) {
  const SpotMarket market = market_of(file, file.path());
  for (const int days : kLengths) {
    for (const auto& [model, rates] : market.throughputs) {
      ModelCosts costs = costs_of(market, model, days);
      print({{"file", file.name()},
             {"job_days", days},
             {"model", model},
             {"cost_usd_mean_min_max", std::move(costs.mean_min_max)},
             {"cost_usd_per_start_day", std::move(costs.per_start_day)},
             {"cost_reduction", std::move(costs.reduction)}});
    }
  }
}

void answer_spot_costs(const CaseFile& file, const CaseOutput& print) {
  // expected_REGION.json is of aws_REGION.csv.
  const std::string name = file.name();
  const auto begin = name.find('_') + 1;
  const std::string region = name.substr(begin, name.rfind('.') - begin);
  const SpotMarket market = market_of(file, file.sibling("spot", "aws_" + region + ".csv"));
  each_case(file, [&](const JsonValue& one) {
    Json line = Json::object();
    for (const std::string& key : one.keys()) {
      line[key] = costs_of_all(market, length_of(key, file.path()));
    }
    print(line);
  });
}

}  // namespace td::job
