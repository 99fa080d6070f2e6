// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/walk_counts.hpp"

#include <algorithm>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

/// Blocks that the loops make; behind them streams are zero.
std::int64_t loop_blocks(const OperandWalk& walk) {
  return std::int64_t{walk.levels[3].count} * walk.levels[4].count * walk.levels[5].count;
}

}  // namespace

std::int64_t fan_loop_rows(const OperandWalk& walk) {
  return (walk.levels[walk.fan_level()].count - std::int64_t{1}) * walk.fan + walk.last_fan;
}

std::int64_t walk_streams(const Geometry& geometry, const OperandWalk& walk) {
  if (walk.transpose) return walk.blocks * geometry.lanes;
  const std::int64_t blocks = std::min<std::int64_t>(walk.blocks, loop_blocks(walk));
  const std::int64_t count = walk.levels[3].count;
  const std::int64_t made = blocks / count * fan_loop_rows(walk) + blocks % count * walk.fan;
  // The first block of zeros has as many as the last one of the loops lacks.
  const std::int64_t zeros = walk.blocks - blocks;
  return zeros == 0 ? made : made + zeros * geometry.fill_rows - made % geometry.fill_rows;
}

std::int64_t blocks_of(const Geometry& geometry, const OperandWalk& walk, std::int64_t streams) {
  if (walk.transpose) return ceil_div(streams, geometry.lanes);
  const std::int64_t made = fan_loop_rows(walk) * walk.levels[4].count * walk.levels[5].count;
  if (made >= streams) return loop_blocks(walk);
  // The first block of zeros ends a multiple of fill_rows.
  return loop_blocks(walk) + ceil_div(streams, geometry.fill_rows) - made / geometry.fill_rows;
}

std::int64_t most_surplus(const Geometry& geometry, const OperandWalk& walk) {
  if (walk.transpose) return geometry.lanes - 1;
  const std::int64_t zeros = walk.blocks - loop_blocks(walk);
  if (zeros <= 0) return 0;
  const std::int64_t made = fan_loop_rows(walk) * walk.levels[4].count * walk.levels[5].count;
  return geometry.fill_rows - (zeros == 1 ? made % geometry.fill_rows : 0) - 1;
}

std::int64_t fill_clocks(const Geometry& geometry, const OperandWalk& walk,
                         std::int64_t chunk_rows) {
  if (!walk.transpose) return walk.blocks * chunk_rows;
  const std::int64_t block_rows = chunk_rows * geometry.lanes;
  const std::int64_t runs = std::int64_t{walk.levels[1].count} * walk.levels[2].count;
  const std::int64_t steps = runs * walk.levels[0].count;
  const std::int64_t zeros = ceil_div(block_rows - runs * fan_loop_rows(walk), geometry.fill_rows);
  const std::int64_t blocks = std::min<std::int64_t>(walk.blocks, loop_blocks(walk));
  // Behind the loops rows are zero, and the last block's leave.
  const std::int64_t behind = (walk.blocks - blocks) * block_rows + geometry.lanes;
  return blocks * (steps + zeros) + behind / geometry.fill_rows;
}

}  // namespace td::sim
