// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/walk.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/accelerator/model/walk_counts.hpp"
#include "sim/accelerator/model/walk_rows.hpp"

namespace td::sim {

void check_walk(const OperandWalk& walk, const Geometry& geometry, std::int64_t streams) {
  const bool loops = std::all_of(walk.levels.begin(), walk.levels.end(),
                                 [](const WalkLevel& level) { return level.count > 0; });
  const bool fan = walk.last_fan > 0 && walk.last_fan <= walk.fan && walk.fan <= geometry.fill_rows;
  if (!loops || !fan || !is_interleave(geometry, walk.interleave)) {
    throw DescriptorFault{ErrorCode::field};
  }
  const std::int64_t made = walk_streams(geometry, walk);
  const std::int64_t surplus = made - streams;
  if (surplus < 0 || surplus > most_surplus(geometry, walk))
    throw DescriptorFault{ErrorCode::field};
}

Streams walk_operands(const Geometry& geometry, const OperandWalk& walk,
                      const std::vector<std::uint32_t>& memory, std::int64_t streams,
                      std::int64_t chunk_rows, std::int64_t& rows_read) {
  const auto lanes = static_cast<std::size_t>(geometry.lanes);
  const auto rows = static_cast<std::size_t>(chunk_rows);
  Streams result(static_cast<std::size_t>(streams) * rows * lanes);
  // Where an element of a row that is brought goes.
  const auto place = [&](const WalkPlace& at, std::size_t lane) {
    if (!walk.transpose) return (at.of * rows + at.row) * lanes + lane;
    return ((at.of * lanes + lane) * rows + at.row / lanes) * lanes + at.row % lanes;
  };
  walk_rows(geometry, walk, streams, chunk_rows, [&](const WalkPlace& at, std::size_t row) {
    ++rows_read;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t to = place(at, lane);
      if (to < result.size()) result[to] = memory[row * lanes + lane];
    }
  });
  return result;
}

}  // namespace td::sim
