// SPDX-License-Identifier: Apache-2.0
// Energy of an operation, from its cycles, its memory traffic and what each access costs.
#pragma once

#include <string>

#include "gen/configuration/config.hpp"
#include "sim/cycles/op_cycles.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "sim/memory/memory.hpp"
#include "sim/memory/step_energy.hpp"
#include "sim/memory/technology.hpp"

namespace td::sim {

// compute     sum over the parts of StepParts of how often * energy each time, where steps are
//             OpCycles::tile_cycles; of both dense tiles, and with the sparse path off, rows
// scratchpad  scratchpad_read_rows * row_bytes * read energy
//             + filled_rows * row_bytes * write energy
// SRAM        filled_rows * row_bytes * read energy
//             + sram_written_rows * row_bytes * write energy
//             + output_rows * output_row_bytes * (write energy + read energy)
// transposer  transposed_blocks * lanes * row_bytes * (write energy + read energy)
// DRAM        8 * (read_bytes + written_bytes) * pJ per bit
// leakage     of all memories of the chip * cycles with memory, of that kind of hardware / clock
//
// Steps are those of all tiles together, each as long as it works: a tile that has finished before
// the slowest, or that waits for memory, is clock-gated and costs nothing. Its memories leak.
//
// Energies of the memories are the technology's; off-chip traffic is the compressed one for every
// kind of hardware, as in the paper, so that only what TensorDash does is credited to it. All
// then read the same rows, and their energies differ in compute and leakage only.

/// Energy of one operation in one kind of hardware.
struct Energy {
  double compute_pJ = 0;
  double scratchpad_pJ = 0;
  double sram_pJ = 0;
  double transposer_pJ = 0;
  double dram_pJ = 0;
  double leakage_pJ = 0;  ///< of the memories on the chip; a tile's is in compute_pJ

  double total_pJ() const {
    return compute_pJ + scratchpad_pJ + sram_pJ + transposer_pJ + dram_pJ + leakage_pJ;
  }
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

/// TensorDash beside dense hardware, and beside dense hardware whose lanes clock-gate on zeros.
struct OpEnergy {
  Energy dense;
  Energy zero_gated;
  Energy tensordash;

  /// How many times less energy TensorDash takes for compute than dense hardware; 1 where neither
  /// computes.
  double compute_efficiency() const;
  /// The same for everything, memory included.
  double system_efficiency() const;
  double compute_efficiency_over_zero_gated() const;
  double system_efficiency_over_zero_gated() const;
};

/// Rows of operands on the chip, and of binary32 partial sums.
struct OnChipRows {
  std::int64_t scratchpad_read = 0;
  std::int64_t filled = 0;     ///< written into scratchpads
  std::int64_t sram_read = 0;  ///< once for all scratchpads that are filled at once
  std::int64_t partial = 0;    ///< N sums each, written into the SRAM and read again
};

/// Of everything but compute; off the chip all is as `traffic` says. Memories leak for so many
/// cycles with memory.
Energy memory_energy(const Config& config, const Technology& technology, const OnChipRows& rows,
                     const MemoryTraffic& traffic, std::int64_t cycles);

/// Of compute alone. Gated, TensorDash takes the dense tile's steps, and its own energy with the
/// sparse path off.
OpEnergy compute_energy(const Config& config, const OpCycles& cycles, std::int64_t useful_macs,
                        const ComputeEnergy& compute, SparsePath path);

/// Energy of the operation that `cycles`, `useful_macs` and `traffic` are of, all hardware moving
/// the same rows.
OpEnergy op_energy(const Config& config, const Technology& technology, const OpCycles& cycles,
                   std::int64_t useful_macs, const MemoryTraffic& traffic,
                   const ComputeEnergy& compute, SparsePath path);

}  // namespace td::sim
