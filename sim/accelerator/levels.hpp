// SPDX-License-Identifier: Apache-2.0
// What moves at every level of the accelerator's memory.
#pragma once

#include <cstdint>

namespace td::sim {

inline constexpr std::int64_t kResultBytes = 4;  ///< binary32, of the result memories

/// Bytes of one level.
struct MovedBytes {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

/// A level, its name for people and in which order they stand: from the memory to the tiles and
/// back.
struct LevelBytes {
  MovedBytes off_chip;     ///< of the bus: operands and descriptors read, results written
  MovedBytes operands;     ///< operand memories: written by loads, read by fills
  MovedBytes scratchpads;  ///< of all tiles: written by fills, read by passes
  MovedBytes results;      ///< result memories: binary32, written by passes, read by those that add
                           ///< to them and by stores
  std::int64_t transposed = 0;  ///< of rows that come out of transposers
};

}  // namespace td::sim
