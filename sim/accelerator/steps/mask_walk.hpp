// SPDX-License-Identifier: Apache-2.0
// The walk of a compute descriptor through an operand memory that holds a mask for each row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/accelerator/model/walk_rows.hpp"

namespace td::sim {

/// Masks [stream][row of the chunk] of `streams` streams: those of walk_operands(). `memory` has a
/// mask for each place. Adds the rows that are read to `rows_read`. Throws DescriptorFault.
template <class Mask>
std::vector<Mask> walk_masks(const Geometry& geometry, const OperandWalk& walk,
                             const std::vector<Mask>& memory, std::int64_t streams,
                             std::int64_t chunk_rows, std::int64_t& rows_read) {
  const auto lanes = static_cast<std::size_t>(geometry.lanes);
  const auto rows = static_cast<std::size_t>(chunk_rows);
  std::vector<Mask> result(static_cast<std::size_t>(streams) * rows);
  const auto whole = [&](const WalkPlace& at, Mask mask) {
    result[((at.block << walk.fan) + at.fan) * rows + at.clock] = mask;
  };
  // Lane i of the n-th row is element n of the block's stream i.
  const auto turned = [&](const WalkPlace& at, Mask mask) {
    const std::size_t source = (at.clock << walk.fan) + at.fan;
    const auto bit = static_cast<Mask>(Mask{1} << source % lanes);
    for (std::size_t lane = 0; mask != 0; ++lane, mask = static_cast<Mask>(mask >> 1)) {
      const std::size_t to = (at.block * lanes + lane) * rows + source / lanes;
      if ((mask & 1) != 0 && to < result.size()) result[to] = static_cast<Mask>(result[to] | bit);
    }
  };
  walk_rows(geometry, walk, streams, chunk_rows, [&](const WalkPlace& at, std::size_t place) {
    ++rows_read;
    if (walk.transpose) {
      turned(at, memory[place]);
    } else {
      whole(at, memory[place]);
    }
  });
  return result;
}

}  // namespace td::sim
