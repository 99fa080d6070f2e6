// SPDX-License-Identifier: Apache-2.0
// The best dataflow of an operation, for dense tiles and for TensorDash: each its own.
#pragma once

#include <cstdint>

#include "sim/dataflow/dataflow.hpp"
#include "sim/memory/energy.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// What is least in the best dataflow.
enum class Objective { energy, time, product };

/// An operation in one kind of hardware under one dataflow.
struct DataflowResult {
  Dataflow dataflow;
  DataflowCounts counts;
  std::int64_t cycles = 0;         ///< of the array
  std::int64_t tile_cycles = 0;    ///< of all tiles, without waiting
  std::int64_t memory_cycles = 0;  ///< with transposers and DRAM
  Energy energy;

  bool is_better(const DataflowResult& other, Objective objective) const;
};

struct BestDataflows {
  DataflowResult dense;
  DataflowResult tensordash;
};

/// What the search needs to know of the machine.
struct DataflowMachine {
  const Config& config;
  const Technology& technology;
  const ComputeEnergy& compute;
};

/// Tries, for both sides and every number of tiles: uncut streams, and the longest chunks that stay
/// in half a scratchpad. `scheduled` is on side B; `contents` are the operands'. Throws UserError
/// for two-sided tiles, whose passes depend on both operands.
BestDataflows best_dataflows(const DataflowMachine& machine, const OperandSource& source,
                             const LayerInfo& layer, Op op, Which scheduled,
                             const TensorContents& contents, Objective objective);

}  // namespace td::sim
