// SPDX-License-Identifier: Apache-2.0
// What plans are chosen for, and what things take, by which they are compared.
#pragma once

#include <string_view>

namespace td::sim {

/// What is to be little: clocks, energy, or their product.
enum class Objective { time, energy, product };

constexpr const char* to_string(Objective objective) {
  return objective == Objective::time     ? "time"
         : objective == Objective::energy ? "energy"
                                          : "product";
}

/// That of a name; time without any.
constexpr Objective objective_of(std::string_view name) {
  return name == "energy"    ? Objective::energy
         : name == "product" ? Objective::product
                             : Objective::time;
}

/// In pJ. Whoever knows a technology fills it in.
struct PlanCosts {
  /// A byte of a level.
  struct Level {
    double read = 0;
    double written = 0;
  };
  /// Of a tile.
  struct Tile {
    double pass = 0;
    double row = 0;    ///< of the streams of a pass
    double step = 0;   ///< in which they pass through
    double pairs = 0;  ///< all pairs of such a row, when none has a zero
  };

  Level off_chip;
  Level operands;
  Level scratchpads;
  Level results;
  double clock = 0;  ///< leakage of all memories, and what stands around the tiles
  Tile dense;
  Tile gated;  ///< TensorDash's with its sparse path off
  Tile dropping;
};

/// What is asked of all plans of a step. Time needs no costs.
struct Aim {
  Objective objective = Objective::time;
  PlanCosts costs;
};

}  // namespace td::sim
