// SPDX-License-Identifier: Apache-2.0
#include "sim/system/skew/skew_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/support/error.hpp"
#include "sim/system/cases/case_file.hpp"
#include "sim/system/skew/controller.hpp"

namespace td::job {
namespace {

constexpr double kMostInterval = 1e9, kMostWeight = 1e9;
constexpr std::int64_t kMostDecisions = 1 << 20;

SkewOptions read_options(const TomlTable& table) {
  SkewOptions options;
  options.intervals = table.numbers("intervals", 1, kMostInterval);
  if (!std::is_sorted(options.intervals.begin(), options.intervals.end())) {
    table.fail("intervals", "rising numbers");
  }
  const auto number = [&table](const char* key, double most, double& value) {
    if (table.has(key)) value = table.number(key, 0, most);
  };
  number("tolerated_percent", 100, options.tolerated_percent);
  number("accuracy_weight", kMostWeight, options.accuracy_weight);
  number("communication_weight", kMostWeight, options.communication_weight);
  if (table.has("forget")) {
    options.forget = static_cast<std::size_t>(table.integer("forget", 1, kMostDecisions));
  }
  return options;
}

/// Loss of accuracy at a decision with an interval, in percent.
double loss_at(const Table& losses, std::size_t decision, double interval) {
  double loss = 0;
  bool found = false;
  for (std::size_t row = 0; row < losses.rows.size(); ++row) {
    const double from = losses.number(row, "from_decision", 0, kMostDecisions);
    if (from > static_cast<double>(decision)) continue;
    if (losses.number(row, "interval", 1, kMostInterval) != interval) continue;
    loss = losses.number(row, "loss_percent", -100, 100);
    found = true;
  }
  if (found) return loss;
  throw UserError(losses.file, fmt::format("interval {} at decision {}", interval, decision),
                  "no row", "one with from_decision 0");
}

}  // namespace

Plan plan_exchange_interval(const TomlTable& table, const Cluster&) {
  table.allow_only({"kind", "intervals", "losses", "decisions", "tolerated_percent",
                    "accuracy_weight", "communication_weight", "forget"});
  const SkewOptions options = read_options(table);
  const Table losses = read_table(path_beside(table, "losses"));
  const auto decisions = static_cast<std::size_t>(table.integer("decisions", 1, kMostDecisions));
  SkewController controller(options, 0);
  Plan chosen = Plan::array();
  double sent = 0, lost = 0;
  for (std::size_t decision = 0; decision < decisions; ++decision) {
    const double interval = options.intervals[controller.current()];
    const double loss = loss_at(losses, decision, interval);
    chosen.push_back(interval);
    sent += 1 / interval;
    lost += loss;
    controller.decide(loss);
  }
  const auto count = static_cast<double>(decisions);
  Plan lines = Plan::object();
  lines["intervals_in_turn"] = std::move(chosen);
  lines["communication_saved"] = count / sent;
  lines["mean_loss_percent"] = lost / count;
  return lines;
}

}  // namespace td::job
