// SPDX-License-Identifier: Apache-2.0
// What compute descriptors do, counted; and the bounds that they keep.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"

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
  std::int64_t rows_transposed = 0;          ///< that come out of transposers
  std::int64_t scratchpad_rows_written = 0;  ///< in all tiles that take them
  std::int64_t scratchpad_rows_read = 0;     ///< by passes, and in front of the first
  std::int64_t result_words_added_to = 0;    ///< read, and written again
  std::int64_t result_words_written = 0;     ///< these and others
};

/// Throws DescriptorFault.
void check_compute(const Geometry& geometry, const ComputeDescriptor& descriptor);

/// The sides, a bit each, whose streams are as many and as long as those of the compute before:
/// these it may keep.
unsigned alike_sides(const ComputeDescriptor& descriptor, const ComputeDescriptor& before);

/// Streams of side A (0) or B (1).
std::int64_t streams_of(const Geometry& geometry, const ComputeDescriptor& descriptor, int side);

/// The lines of a tile, of either side. They have streams for it if they are below a_lines and
/// b_lines.
struct TileLines {
  std::int64_t a = 0;
  std::int64_t b = 0;

  bool used(const ComputeDescriptor& descriptor) const {
    return a < descriptor.a_lines && b < descriptor.b_lines;
  }
};
TileLines lines_of(const ComputeDescriptor& descriptor, std::int64_t tile);

/// Adds what does not depend on the operands: passes, their rows, and what they move in scratchpads
/// and result memories.
void count_compute(const Geometry& geometry, const ComputeDescriptor& descriptor,
                   ComputeCounts& counts);

}  // namespace td::sim
