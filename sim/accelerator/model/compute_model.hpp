// SPDX-License-Identifier: Apache-2.0
// What a compute descriptor does: walks, passes of all tiles, and their sums in the result
// memories.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/configuration/config.hpp"
#include "gen/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/model/walk.hpp"
#include "sim/accelerator/timing/timeline.hpp"
#include "sim/model/tile.hpp"

namespace td::sim {

/// Counted over all compute descriptors.
struct ComputeCounts {
  std::int64_t passes = 0;                ///< of all tiles
  std::int64_t nonfinite = 0;             ///< passes with an Inf or NaN among their operands
  std::vector<std::int64_t> tile_cycles;  ///< steps, by tile
  std::int64_t rows = 0;                  ///< of a stream, over all passes
  std::int64_t skipped = 0;               ///< pairs of tile rows' streams no lane multiplied
  // Rows of operands, and words of results
  std::int64_t operand_rows_read = 0;        ///< by fills
  std::int64_t scratchpad_rows_written = 0;  ///< in all tiles that take them
  std::int64_t scratchpad_rows_read = 0;     ///< by passes, and in front of the first
  std::int64_t result_words_added_to = 0;    ///< read, and written again
  std::int64_t result_words_written = 0;     ///< these and others
};

class ComputeModel {
 public:
  explicit ComputeModel(const Config& config);

  /// Throws DescriptorFault.
  void run(const ComputeDescriptor& descriptor);

  /// Operand bits [place][lane], see place_of(), of side A's (0) and side B's (1) memory.
  std::vector<std::uint32_t>& operands(bool side_b) { return operands_[side_b ? 1 : 0]; }

  /// Bits of binary32 [word][element] of a tile's result memory.
  const std::vector<std::uint32_t>& results(int tile) const {
    return results_[static_cast<std::size_t>(tile)];
  }

  const ComputeCounts& counts() const { return counts_; }
  /// Of the descriptor that ran last.
  const PassCycles& pass_cycles() const { return pass_cycles_; }
  const Geometry& geometry() const { return geometry_; }

 private:
  void check(const ComputeDescriptor& descriptor) const;
  void run_tile(const ComputeDescriptor& descriptor, int tile);
  void collect(const ComputeDescriptor& descriptor, int tile, std::int64_t gb, std::int64_t ga);

  Geometry geometry_;
  TileModel tile_;
  std::vector<std::uint32_t> operands_[2];
  std::vector<std::vector<std::uint32_t>> results_;
  ComputeCounts counts_;
  PassCycles pass_cycles_;

  Streams a_;  ///< of the descriptor that runs
  Streams b_;
  PassData pass_;
  PassResult outputs_;
};

}  // namespace td::sim
