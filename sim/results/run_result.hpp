// SPDX-License-Identifier: Apache-2.0
// What a simulation of a network found: every operation's cycles, and what was simulated how.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/accelerator/machine/machine.hpp"
#include "sim/cycles/op_cycles.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "sim/mapping/coverage.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/memory/energy.hpp"

namespace td::sim {

/// Tiles, each of rows x columns PEs of so many lanes.
struct ArraySize {
  std::int64_t tiles = 1;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t lanes = 1;

  std::int64_t multipliers() const { return tiles * rows * columns * lanes; }
};

/// What the same tiles would take for an operation had its tensors not a single zero, the operand
/// on side B being as it is. Dense cycles over these are what dropping the zeros gains that the
/// mapping filled in; these over the cycles taken, what dropping the data's zeros gains.
struct ZeroFree {
  std::int64_t cycles = 0;   ///< of the array
  double dense_pJ = 0;       ///< of dense tiles, did they take as many cycles
  double zero_gated_pJ = 0;  ///< the same of zero-gated dense tiles
};

/// One operation of one layer, or, as far as that has a meaning, the sum of several.
struct OpResult {
  std::string snapshot;
  std::string layer;
  Op op = Op::fwd;
  Operand scheduled = Operand::W;
  ZeroShares zeros;  ///< as they are counted for the choice, padding included
  ZeroCount first_tensor;
  ZeroCount second_tensor;
  std::int64_t useful_macs = 0;  ///< pairs without a zero
  OpCycles cycles;               ///< of tiles that are always served
  TileEnergy energy;             ///< ... and of compute alone
  ZeroFree zero_free;
  bool gated = false;                 ///< the sparse path was off: it ran as on dense tiles
  std::int64_t ungated_cycles = 0;    ///< with the sparse path on; cycles where it was
  double ungated_pJ = 0;              ///< the same of energy.tensordash_pJ
  std::optional<MachineUse> machine;  ///< from memory to memory; none of compute alone

  /// As `energy`, with dense tiles that do none of the work that was filled in.
  TileEnergy data_energy() const {
    return {zero_free.dense_pJ, zero_free.zero_gated_pJ, energy.tensordash_pJ};
  }
};

/// A whole run. The same run makes the same, whatever the number of threads and the time it took.
struct RunResult {
  std::string program;  ///< with its version

  std::string configuration;  ///< its name
  std::string configuration_hash;
  std::string scheduling;
  int depth = 1;                ///< rows; 1 for dense tiles
  std::string pattern;          ///< "none" for dense tiles
  std::vector<Option> options;  ///< of the pattern, in order of priority; empty for dense tiles
  std::string format;           ///< of the operands
  std::string output;           ///< format of the results
  ArraySize array;
  Accelerator accelerator;
  std::string accelerator_hash;
  std::string split;     ///< how an operation's passes are shared out among the tiles
  std::string schedule;  ///< how the scheduled operand is chosen
  bool gate = false;     ///< whether operations with few zeros are gated
  /// Clocks of the memory behind the accelerator, from address to data; none of compute alone.
  std::optional<std::int64_t> latency;
  std::int64_t bandwidth = 0;  ///< ... bytes that it moves in 1000 clocks; 0: as many as the bus
  bool packed = false;         ///< ... operands in it, where plans cost less with it
  std::optional<std::string> objective;  ///< of the plans; none of compute alone
  std::string technology;
  std::string technology_hash;
  std::int64_t clock_MHz = 0;
  std::string memories;  ///< which ones of a table; empty: the technology's own figures
  ComputeEnergy compute;

  std::string source_path;
  std::string source_identity;
  std::string model;
  std::string dataset;
  std::string conversion;          ///< what loading did to the numbers; empty: nothing
  std::vector<Coverage> coverage;  ///< of each snapshot's step; empty where nobody has said
  bool is_selection = false;       ///< not all layers and operations of the source

  std::vector<std::string> notes;  ///< sentences on what was left out, and how rows are to be read
  std::vector<OpResult> operations;
};

/// A size of what stands around the tiles: "sram.banks".
struct AcceleratorSize {
  std::string name;
  std::int64_t value;
  std::int64_t least;  ///< that is legal
};

/// All of them, in the order of parameters().
std::vector<AcceleratorSize> accelerator_sizes(const Accelerator& accelerator);

/// The form of a result as JSON; a change that its readers must know of makes another.
inline constexpr const char* kResultFormat = "tensordash-result-14";

/// A part of the multipliers' cycles.
struct Part {
  const char* name;  ///< within names of columns
  const char* text;  ///< for people
  std::int64_t MultiplierCycles::*cycles;
};

/// Every part, in the order of MultiplierCycles; the first is what is not lost.
const std::vector<Part>& parts();

/// What totals are taken over: all operations with the same kind, layer of a snapshot, snapshot,
/// kind and snapshot, or simply all.
enum class TotalBy { op, layer, snapshot, snapshot_op, all };

/// One sum for each, named in `op`, `snapshot` and `layer` where these are what it is taken over.
/// In the order in which they come; kinds, of all snapshots, as Op has them. Empty without
/// operations.
std::vector<OpResult> totals(const std::vector<OpResult>& operations, TotalBy by);

}  // namespace td::sim
