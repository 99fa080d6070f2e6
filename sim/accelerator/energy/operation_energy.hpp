// SPDX-License-Identifier: Apache-2.0
// Energy of an operation on the accelerator, from what was counted while it ran.
#pragma once

#include <cstdint>

#include "base/configuration/config.hpp"
#include "sim/accelerator/energy/level_bytes.hpp"
#include "sim/accelerator/model/compute_model.hpp"
#include "sim/accelerator/plan/objective/plan_costs.hpp"
#include "sim/cycles/op_cycles.hpp"
#include "sim/memory/energy.hpp"
#include "sim/memory/surroundings.hpp"
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

/// What stands around the tiles spent in so many clocks in which so much moved, over `costs`.
double surroundings_steps(const Config& config, const SurroundingsCosts& costs,
                          const LevelBytes& bytes, std::int64_t clocks);

/// A multiply-accumulate in bf16 where the tile's takes what `compute` says.
double bf16_mac_pJ(const Config& config, const Technology& technology,
                   const ComputeEnergy& compute);

/// Of an operation with such a tile, dense or TensorDash, that took so many clocks of the
/// technology. `mac_pJ`: bf16_mac_pJ(), by which what stands around tiles is known.
Energy operation_energy(const Config& config, const Technology& technology, double compute_pJ,
                        double mac_pJ, const LevelBytes& bytes, std::int64_t clocks);

}  // namespace td::sim
