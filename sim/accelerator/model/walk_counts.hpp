// SPDX-License-Identifier: Apache-2.0
// What a walk brings, and in how many clocks, without its rows.
#pragma once

#include <cstdint>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"

namespace td::sim {

/// Rows that all iterations of the fan loop bring.
std::int64_t fan_loop_rows(const OperandWalk& walk);

/// Streams of all blocks. Of a walk whose loops have iterations.
std::int64_t walk_streams(const Geometry& geometry, const OperandWalk& walk);

/// Streams that it may make more than are needed: of its last block, if that is transposed or
/// zeros.
std::int64_t most_surplus(const Geometry& geometry, const OperandWalk& walk);

/// Blocks of which so many streams are made, or, if transposed, at least so many.
std::int64_t blocks_of(const Geometry& geometry, const OperandWalk& walk, std::int64_t streams);

/// Clocks of a fill with streams of `chunk_rows` rows. Transposed streams leave a block later.
std::int64_t fill_clocks(const Geometry& geometry, const OperandWalk& walk,
                         std::int64_t chunk_rows);

}  // namespace td::sim
