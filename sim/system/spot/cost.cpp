// SPDX-License-Identifier: Apache-2.0
#include "sim/system/spot/cost.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/support/error.hpp"

namespace td::job {
namespace {

constexpr const char* kBaseline = "p3.2xlarge";
constexpr double kHours = 24;
constexpr double kSeconds = 86400;
constexpr std::size_t kStarts = 30, kLastDays = 5;

std::vector<Day> days_of(const SpotMarket& market) {
  std::vector<Day> days;
  for (const auto& day : market.offers[market.type_named(kBaseline)]) days.push_back(day.first);
  return days;
}

bool may_choose(const SpotMarket& market, SpotPolicy policy, std::size_t type) {
  switch (policy) {
    case SpotPolicy::baseline:
      return market.types[type].name == kBaseline;
    case SpotPolicy::gpu_type:
      return market.is_aws(type) && market.types[type].count == 1;
    case SpotPolicy::packed:
      return market.is_aws(type);
    default:
      return true;
  }
}

/// Work for the price. Of Azure the original divides by the whole instance's price.
double value_of(const SpotMarket& market, const Offer& offer, const std::string& model) {
  const InstanceType& type = market.types[offer.type];
  const double rate = market.throughputs.at(model).at(type.accelerator);
  return market.is_aws(offer.type) ? rate / (offer.price / type.count) : rate / offer.price;
}

Offer choose(const SpotMarket& market, SpotPolicy policy, const std::string& model,
             const Day& day) {
  std::optional<Offer> best;
  double most = 0;
  for (std::size_t type = 0; type < market.types.size(); ++type) {
    const auto offers = market.offers[type].find(day);
    if (offers == market.offers[type].end() || !may_choose(market, policy, type)) continue;
    for (const Offer& offer : offers->second) {
      const double value = value_of(market, offer, model);
      if (best && value <= most) continue;
      best = offer;
      most = value;
    }
  }
  if (!best) throw UserError("prices", "day", day, "one with an offer that the policy may take");
  return *best;
}

/// The day's price of what was chosen: of its first record, or the old one.
void renew_price(const SpotMarket& market, const Day& day, Offer& offer) {
  const auto offers = market.offers[offer.type].find(day);
  if (offers == market.offers[offer.type].end()) return;
  const auto same = std::find_if(offers->second.begin(), offers->second.end(),
                                 [&](const Offer& other) { return other.zone == offer.zone; });
  if (same != offers->second.end()) offer.price = same->price;
}

}  // namespace

const char* to_string(SpotPolicy policy) {
  constexpr std::array names = {"baseline", "gpu_type", "packed", "multi_cloud", "preemption"};
  return names[static_cast<std::size_t>(policy)];
}

std::vector<Day> start_days(const SpotMarket& market) {
  std::vector<Day> days = days_of(market);
  if (days.size() < kStarts + kLastDays) {
    throw UserError("prices", std::string("days of ") + kBaseline, std::to_string(days.size()),
                    std::to_string(kStarts + kLastDays) + " or more");
  }
  const auto end = days.end() - kLastDays;
  return {end - kStarts, end};
}

double job_cost(const SpotMarket& market, SpotPolicy policy, const std::string& model,
                const Day& start, double days) {
  const std::vector<Day> calendar = days_of(market);
  double left = days * kSeconds * market.throughputs.at(model).at("v100");
  double cost = 0;
  std::optional<Offer> chosen;
  for (auto day = std::find(calendar.begin(), calendar.end(), start); day != calendar.end();
       ++day) {
    if (!chosen || policy == SpotPolicy::preemption) {
      chosen = choose(market, policy, model, *day);
    } else {
      renew_price(market, *day, *chosen);
    }
    const InstanceType& type = market.types[chosen->type];
    const double daily = kHours * chosen->price / type.count;
    const double work = kSeconds * market.throughputs.at(model).at(type.accelerator);
    if (left <= work || day + 1 == calendar.end()) return cost + daily * left / work;
    cost += daily;
    left -= work;
  }
  throw UserError("prices", "start", start, "a day with prices");
}

}  // namespace td::job
