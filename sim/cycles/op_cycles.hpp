// SPDX-License-Identifier: Apache-2.0
// What an operation costs on an array of tiles, and where its multipliers' cycles went.
#pragma once

#include <cstdint>

#include "sim/cycles/dealing/stream_order.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

/// Multiplier-cycles: every multiplier of the array in every cycle is counted in exactly one part.
/// The parts of an idle lane are asked for in the order in which they stand here.
struct MultiplierCycles {
  std::int64_t effectual = 0;    ///< multiplied a pair that matters
  std::int64_t ineffectual = 0;  ///< multiplied a pair with a zero (dense tiles only)
  std::int64_t array_edge = 0;   ///< its tile row or column had no stream: a last group
  /// A lane whose own pair only fills up the row (in wgrad of positions or batch): idle; on dense
  /// tiles it multiplies zeros.
  std::int64_t channel_padding = 0;
  std::int64_t lane_conflicts = 0;  ///< idle; effectual pairs in the window, none within reach
  std::int64_t stream_tail = 0;     ///< idle; nothing left in the window, the stream ends in it
  std::int64_t row_imbalance = 0;   ///< ...; the tile row waits for others of its tile
  std::int64_t depth_limit = 0;     ///< ...; a deeper staging buffer might have shown more
  std::int64_t tile_imbalance = 0;  ///< its tile had finished before the slowest

  std::int64_t total() const {
    return effectual + ineffectual + array_edge + channel_padding + lane_conflicts + stream_tail +
           row_imbalance + depth_limit + tile_imbalance;
  }
};

/// One operation of one layer on an array of tiles. Cycles of the array are those of its slowest
/// tile.
struct OpCycles {
  Which scheduled = Which::second;     ///< the operand on side B
  Dealing dealing = Dealing::natural;  ///< of its streams to tile rows
  std::int64_t passes = 0;
  std::int64_t rows = 0;          ///< of all passes: the sum of T
  std::int64_t dense_cycles = 0;  ///< of the array of dense tiles
  std::int64_t cycles = 0;        ///< of the array
  std::int64_t tile_cycles = 0;   ///< of all tiles together
  MultiplierCycles multipliers;   ///< total() = cycles * tiles * rows * columns * lanes
};

}  // namespace td::sim
