// SPDX-License-Identifier: Apache-2.0
// What a tile's energy is made of: parts that are counted, and what each of them costs.
#pragma once

#include <cstdint>

#include "base/configuration/config.hpp"
#include "sim/cycles/op_cycles.hpp"

namespace td::sim {

/// Counts are exact, energies are not.
constexpr double real(std::int64_t count) { return static_cast<double>(count); }

/// A number for each part of the energy of a tile: how often, or how much each time. All are of the
/// whole tile: `pair` = 1 is every multiplier once.
struct StepParts {
  double step = 0;    ///< a step of the tile, whatever is in it
  double row = 0;     ///< a row of every stream that passes through
  double choice = 0;  ///< a lane that a pair was chosen for: its side B is not zero
  double pair = 0;    ///< a lane whose operands are both not zero
  double sum = 0;     ///< a sum of lanes of which at least one is such
  double output = 0;  ///< an output of every PE
  double add = 0;     ///< an adder of the tree below which is such a lane; 1: as many as lanes
};

/// A part by its name in files.
struct StepPart {
  const char* name;
  double StepParts::*value;
};

inline constexpr StepPart kStepParts[] = {
    {"step", &StepParts::step}, {"row", &StepParts::row}, {"choice", &StepParts::choice},
    {"pair", &StepParts::pair}, {"sum", &StepParts::sum}, {"output", &StepParts::output},
    {"add", &StepParts::add},
};

/// Sum over the parts of how often times how much.
double energy_of(const StepParts& counts, const StepParts& costs);

/// What happens in `steps` steps of tiles that do the operation `cycles` are of. Exact, but for
/// sums and adds: as many as there would be if pairs without a zero were spread evenly over lanes
/// and steps. At least one of n lanes has a pair in
///   steps * (1 - (1 - u)^n), u = useful_macs / (steps * multipliers of a tile)
StepParts step_counts(const Config& config, const OpCycles& cycles, std::int64_t useful_macs,
                      std::int64_t steps);

/// The tile in its ways of working, beside both dense tiles. Costs are over dense_step_pJ: a step
/// of the dense tile in which every operand is not zero.
struct StepEnergy {
  double dense_step_pJ = 0;
  StepParts dense;       ///< the dense tile
  StepParts sparse;      ///< TensorDash
  StepParts gated;       ///< TensorDash with its sparse path off
  StepParts zero_gated;  ///< the zero-gated dense tile: its lanes rest at zeros of side B
};

/// The share of zeros on side B below which TensorDash cannot take less energy than with its sparse
/// path off, side A having no zeros: where the fewest steps there can be, 1 - share of the rows,
/// take as much, to the next thousandth. 0 where it never takes more.
double gating_zero_share(const Config& config, const StepEnergy& energy);

}  // namespace td::sim
