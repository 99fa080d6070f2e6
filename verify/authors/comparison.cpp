// SPDX-License-Identifier: Apache-2.0
// Costs of many lines, their differences, and the table of effects.
#include "verify/authors/comparison.hpp"

#include <fmt/format.h>

#include <cmath>

#include "verify/authors/figures.hpp"
#include "verify/authors/ours.hpp"
#include "verify/authors/reference.hpp"

namespace td::authors {
namespace {

constexpr std::int64_t kMostPrinted = 10;

double relative_change(std::int64_t before, std::int64_t after) {
  return static_cast<double>(after - before) / static_cast<double>(before);
}

std::string percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

std::string cost_text(sim::Op op, const Cost& cost) {
  return fmt::format("{}, {} dense cycles, {} cycles", scheduled_text(op, cost), cost.dense_cycles,
                     cost.cycles);
}

void print_row(const char* rule, std::int64_t lines, std::int64_t scheduled, const Costs& before,
               const Costs& after, const std::string& largest) {
  fmt::print("{:<15} {:>5} {:>9} {:>9} {:>9} {:>9} {:>10}  {}\n", rule, lines, scheduled,
             total_dense(after), total_cycles(after), total_cycles(after) - total_cycles(before),
             percent(relative_change(total_cycles(before), total_cycles(after))), largest);
}

}  // namespace

Costs reference_costs(const std::vector<Line>& lines, const Rules& rules) {
  Costs costs;
  for (const Line& line : lines) {
    costs.push_back(reference_cost(*line.layer, line.op, line.tile, rules));
  }
  return costs;
}

Costs tdsim_costs(const std::vector<Line>& lines) {
  Costs costs;
  for (const Line& line : lines) costs.push_back(tdsim_cost(*line.layer, line.op, line.tile));
  return costs;
}

Effect effect_of(const std::vector<Line>& lines, const Costs& before, const Costs& after) {
  Effect effect;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (before[i] == after[i]) continue;
    ++effect.lines;
    if (before[i].first != after[i].first || before[i].second != after[i].second) {
      ++effect.scheduled;
    }
    const double change = relative_change(before[i].cycles, after[i].cycles);
    if (!effect.largest_line.empty() && std::abs(change) <= std::abs(effect.largest)) continue;
    effect.largest = change;
    effect.largest_line = lines[i].name;
  }
  return effect;
}

std::int64_t total_dense(const Costs& costs) {
  std::int64_t total = 0;
  for (const Cost& cost : costs) total += cost.dense_cycles;
  return total;
}

std::int64_t total_cycles(const Costs& costs) {
  std::int64_t total = 0;
  for (const Cost& cost : costs) total += cost.cycles;
  return total;
}

std::int64_t print_differences(const std::vector<Line>& lines, const Costs& actual,
                               const Costs& expected, const char* expected_name) {
  std::int64_t differences = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    if (differences++ >= kMostPrinted) continue;
    fmt::print("  {}: reference {}; {} {}\n", lines[i].name, cost_text(lines[i].op, actual[i]),
               expected_name, cost_text(lines[i].op, expected[i]));
  }
  return differences;
}

Costs print_effects(const std::vector<Line>& lines, Costs costs,
                    std::vector<std::int64_t>& changed) {
  fmt::print("{:<15} {:>5} {:>9} {:>9} {:>9} {:>9} {:>10}  {}\n", "replaced", "lines", "scheduled",
             "dense", "cycles", "+/-", "+/- %", "largest change of a line's cycles");
  print_row("(none)", 0, 0, costs, costs, "");
  const Costs start = costs;
  Rules rules;
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    const Rule& rule = all_rules()[i];
    rules.*rule.member = By::ours;
    const Costs after = reference_costs(lines, rules);
    const Effect effect = effect_of(lines, costs, after);
    const std::string largest =
        effect.lines == 0 ? "" : percent(effect.largest) + " " + effect.largest_line;
    print_row(rule.name, effect.lines, effect.scheduled, costs, after, largest);
    changed[i] += effect.lines;
    costs = after;
  }
  const Effect all = effect_of(lines, start, costs);
  print_row("all together", all.lines, all.scheduled, start, costs,
            all.lines == 0 ? "" : percent(all.largest) + " " + all.largest_line);
  return costs;
}

}  // namespace td::authors
