// SPDX-License-Identifier: Apache-2.0
// Replaces the authors' rules by ours, one after the other, and looks at what each changes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/authors/model/layer.hpp"
#include "verify/authors/model/rules.hpp"

namespace td::authors {

/// One operation on one tile.
struct Line {
  std::string name;
  const Layer* layer = nullptr;
  sim::Op op = sim::Op::fwd;
  Tile tile;
};

/// Costs of all lines, in their order.
using Costs = std::vector<Cost>;

Costs reference_costs(const std::vector<Line>& lines, const Rules& rules);
Costs tdsim_costs(const std::vector<Line>& lines);

/// What a rule does when it is replaced after those before it.
struct Effect {
  std::int64_t lines = 0;      ///< whose cost changes in any way
  std::int64_t scheduled = 0;  ///< ... whose scheduled operand does
  double largest = 0;          ///< change of a line's cycles, relative to before; with its sign
  std::string largest_line;    ///< empty where none changes
};

Effect effect_of(const std::vector<Line>& lines, const Costs& before, const Costs& after);

/// Sums over all lines.
std::int64_t total_dense(const Costs& costs);
std::int64_t total_cycles(const Costs& costs);

/// Prints a line to stdout for each difference, up to 10, and returns how many there are.
std::int64_t print_differences(const std::vector<Line>& lines, const Costs& actual,
                               const Costs& expected, const char* expected_name);

/// Prints the table of effects, from `costs` by the authors' rules on, and returns the costs by
/// ours. `changed` has an entry for each rule: the lines that it changed are added.
Costs print_effects(const std::vector<Line>& lines, Costs costs,
                    std::vector<std::int64_t>& changed);

}  // namespace td::authors
