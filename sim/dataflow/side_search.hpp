// SPDX-License-Identifier: Apache-2.0
// The dataflows of an operation with one side's streams in the tile rows: what each of them takes,
// and the best.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/dataflow/chunk_cycles.hpp"
#include "sim/dataflow/gradient_parts.hpp"
#include "sim/dataflow/search.hpp"

namespace td::sim {

/// The kinds of hardware, by where their energy stands.
using Kind = Energy OpEnergy::*;

/// With memory, did the tiles take so many cycles.
std::int64_t memory_cycles(const DataflowResult& result, std::int64_t cycles);

/// The streams of an operation: as the layer's mapping has them, or with rows that are shared.
struct Streams {
  const OperandSource& source;
  const LayerInfo& layer;
  bool shares_rows;
  StoredShares stored;
};

/// All that it is made of must outlive it.
class SideSearch {
 public:
  SideSearch(const DataflowMachine& machine, const DataflowJob& job, const Streams& streams,
             Which side_b, const DataflowGoal& goal);

  /// Worth trying: uncut streams, and chunks as long as can stay where streams are longer.
  std::vector<std::int64_t> chunk_rows() const;

  /// Tries all dataflows with chunks of so many rows. `cycles` is null where passes take as many
  /// cycles as they have rows: on dense tiles, and with the sparse path off. With `parts`, output
  /// gradients come in once for dgrad and wgrad.
  void run(std::int64_t chunk_rows, const GradientParts* parts, Kind kind,
           const ChunkCycles* cycles, std::optional<DataflowResult>& best) const;

  /// Whether no uncut dataflow of TensorDash can be as good, though nothing is scheduled yet: all
  /// tiles together take the cycles that they take under tdsim's rule, and no wave less than its
  /// tiles need on average.
  bool beats_uncut(const DataflowResult& best, const GradientParts* parts) const;

  /// Of tiles that take so many steps, dense ones as many as there are rows, in so many cycles with
  /// memory.
  Energy energy(Kind kind, const DataflowResult& result, std::int64_t rows, std::int64_t steps,
                std::int64_t memory_cycles) const;

 private:
  MemoryTraffic traffic(ChipOrder order) const;
  /// A pass over a whole stream needs all of it on the chip.
  const MemoryTraffic& traffic_of(const DataflowResult& result) const {
    if (result.gradients_once) return once_;
    return result.dataflow.chunk_rows > 0 ? cut_ : uncut_;
  }
  std::vector<Dataflow> legal(std::int64_t chunk_rows, const GradientParts* parts) const;
  /// Without cycles, passes take as many as they have rows.
  DataflowResult evaluate(const Dataflow& dataflow, bool gradients_once, Kind kind,
                          const std::optional<DataflowCycles>& cycles) const;
  std::int64_t sram_cycles(const DataflowResult& result) const;

  const DataflowMachine& machine_;
  const DataflowJob& job_;
  const Streams& streams_;
  Which side_b_;
  const DataflowGoal& goal_;
  std::vector<SuperBlock> blocks_;
  MemoryTraffic uncut_;  ///< off the chip, where streams are not cut
  MemoryTraffic cut_;
  MemoryTraffic once_;  ///< where output gradients come in once
};

}  // namespace td::sim
