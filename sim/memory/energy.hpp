// SPDX-License-Identifier: Apache-2.0
// Energy of tiles at work, and by where an operation's energy goes.
#pragma once

#include <cstdint>
#include <string>

#include "base/configuration/config.hpp"
#include "sim/cycles/op_cycles.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "sim/memory/step_energy.hpp"
#include "sim/memory/technology.hpp"

namespace td::sim {

/// Energy of one operation in one kind of hardware, by where it goes.
struct Energy {
  double compute_pJ = 0;
  double scratchpad_pJ = 0;
  double sram_pJ = 0;
  double dram_pJ = 0;
  double leakage_pJ = 0;  ///< of the memories on the chip; a tile's is in compute_pJ
  /// Of what stands around tiles and memories: fills, transposers, collectors, engines, control.
  double surroundings_pJ = 0;

  double total_pJ() const {
    return compute_pJ + scratchpad_pJ + sram_pJ + dram_pJ + leakage_pJ + surroundings_pJ;
  }

  void add(const Energy& other);
};

/// Energy of a working tile. The dense tiles have the same configuration with dense and with
/// zero-gated scheduling.
struct ComputeEnergy {
  StepEnergy parts;
  /// The sparse path of an operation is gated off when a smaller share of zeros was counted in the
  /// previous step: gating_zero_share().
  double gating_zero_share = 0;
  std::string source;  ///< where they come from, for people
};

/// The default: a dense step with no zeros takes rows * columns * lanes MACs of the technology; all
/// else follows by the ratios of stand_in_synthesis(). Nothing but ratios is taken from there: the
/// cells are of another node than the technology's memories.
ComputeEnergy stated_compute_energy(const Config& config, const Technology& technology);

/// From a file of synthesis results, whatever their clock: a cycle's energy is that of its toggles,
/// and of leakage in the cycle as it was synthesised. The source says which clock. Throws UserError
/// as load_synthesis.
ComputeEnergy load_compute_energy(const std::string& path, const Config& config);

/// Whether the sparse path of an operation is in use.
enum class SparsePath { on, gated };

/// The decision for an operation, from the zeros that the operand searched for them had in the
/// previous step: gated where their share is below the threshold; on when nothing was counted.
SparsePath sparse_path(const ComputeEnergy& compute, const ZeroCount& previous);

/// Of compute alone: TensorDash beside dense tiles, and beside dense tiles whose lanes clock-gate
/// on zeros.
struct TileEnergy {
  double dense_pJ = 0;
  double zero_gated_pJ = 0;
  double tensordash_pJ = 0;

  /// How many times less energy TensorDash takes than dense tiles; 1 where neither computes.
  double efficiency() const;
  double efficiency_over_zero_gated() const;
};

/// Of the operation that `cycles` and `useful_macs` are of: the sum over the parts of StepParts of
/// how often times what each costs, where steps are OpCycles::tile_cycles, and of both dense tiles
/// rows. Gated, TensorDash takes the dense tile's steps, and its own energy with the sparse path
/// off. A tile that waits is clock-gated and costs nothing.
TileEnergy tile_energy(const Config& config, const OpCycles& cycles, std::int64_t useful_macs,
                       const ComputeEnergy& compute, SparsePath path);

}  // namespace td::sim
