// SPDX-License-Identifier: Apache-2.0
// A dataflow: what of an operation stays in the scratchpads, how streams are cut, how tiles share
// them; and exact counts of what it moves on the chip. The rules: docs/dataflow.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gen/configuration/config.hpp"
#include "sim/dataflow/super_blocks.hpp"

namespace td::sim {

// for each part of the images:
// for each super-block:
//   for each moving block (groups of the moving side whose partial sums fit the result memory):
//     for each wave of the stationary side (groups, dealt over the tiles):
//       for each chunk of the reduction (wgrad: of the part's images):
//         for each wave of the moving side in the moving block:
//           every tile of the wave runs one pass: one group of each side, the rows of the chunk

struct Dataflow {
  Which stationary = Which::second;  ///< side whose chunk stays in the scratchpads while it can
  std::int64_t first_tiles = 1;      ///< groups of first streams in the array at once
  std::int64_t second_tiles = 1;     ///< each meets each: first_tiles * second_tiles tiles work
  std::int64_t chunk_rows = 0;       ///< a chunk has at most so many rows; 0: streams are not cut
  std::int64_t images = 0;  ///< of a part; 0: all. Of wgrad, every sum then stays from part to part
  std::int64_t kept_rows = 0;  ///< of the result memories, that another operation's sums take

  std::int64_t tiles(Which side) const { return side == Which::first ? first_tiles : second_tiles; }
};

/// Rows of a stream that a half of a scratchpad holds.
std::int64_t scratchpad_rows(const Config& config);

/// All that can be best with such chunks: either side stays; of each number of first groups, as
/// many second groups as there are tiles for.
std::vector<Dataflow> candidates(const Config& config, std::int64_t chunk_rows);

/// Why the configuration cannot run the operation so; empty: it can.
std::string obstacle(const std::vector<SuperBlock>& blocks, const Config& config, Which scheduled,
                     const Dataflow& dataflow);

/// Rows of one operand.
struct StreamRows {
  std::int64_t sram_read = 0;        ///< once for all tiles that take it at once
  std::int64_t filled = 0;           ///< written into scratchpads, in every tile
  std::int64_t scratchpad_read = 0;  ///< by passes

  void add(const StreamRows& other, std::int64_t times);
};

struct DataflowCounts {
  StreamRows first;
  StreamRows second;
  /// N binary32 partial sums each, of one pass: written into the result memory, read once later.
  std::int64_t partial_rows = 0;
  std::int64_t passes = 0;      ///< of a chunk each
  std::int64_t tile_rows = 0;   ///< of all passes: the dense cycles of all tiles together
  std::int64_t array_rows = 0;  ///< of all waves: the dense cycles of the array

  void add(const DataflowCounts& other, std::int64_t times);
  std::int64_t sram_reads() const { return first.sram_read + second.sram_read + partial_rows; }
};

/// Rows of all partial sums of the operation, at one time.
std::int64_t partial_rows(const std::vector<SuperBlock>& blocks, const Config& config,
                          Which scheduled);

/// Counts of the operation. Throws std::invalid_argument where there is an obstacle.
DataflowCounts dataflow_counts(const std::vector<SuperBlock>& blocks, const Config& config,
                               Which scheduled, const Dataflow& dataflow);

}  // namespace td::sim
