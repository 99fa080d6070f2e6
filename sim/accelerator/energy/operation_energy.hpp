// SPDX-License-Identifier: Apache-2.0
// Energy of an operation on the accelerator, from what was counted while it ran.
#pragma once

#include <cstdint>

#include "gen/configuration/config.hpp"
#include "sim/accelerator/energy/level_bytes.hpp"
#include "sim/accelerator/model/compute_model.hpp"
#include "sim/accelerator/plan/objective/plan_costs.hpp"
#include "sim/cycles/op_cycles.hpp"
#include "sim/memory/energy.hpp"
#include "sim/memory/technology.hpp"

namespace td::sim {

/// What the tiles did between two counts, as the energy of their parts takes it: passes, their
/// rows, steps of all tiles, and the multipliers that got a pair whose side B is not zero.
OpCycles tile_work(const Geometry& geometry, const ComputeCounts& after,
                   const ComputeCounts& before);

/// The technology cacti_45nm for a configuration: memories of its sizes, with ports of a row.
/// Throws UserError for sizes that its table does not have.
Technology accelerator_technology(const Config& config);

/// What plans are compared by that are to keep an objective, in the same technology. Of tiles it is
/// about what tile_energy() says.
Aim aim_of(const Config& config, const Technology& technology, const ComputeEnergy& compute,
           Objective objective);

/// Of an operation with such a tile, dense or TensorDash, that took so many clocks of the
/// technology. Transposers and all else around tiles and memories are not in it.
Energy operation_energy(const Config& config, const Technology& technology, double compute_pJ,
                        const LevelBytes& bytes, std::int64_t clocks);

}  // namespace td::sim
