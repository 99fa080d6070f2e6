// SPDX-License-Identifier: Apache-2.0
// What moves at every level of the accelerator's memory, from the functional model's counts.
#pragma once

#include <cstdint>

#include "gen/configuration/geometry.hpp"
#include "sim/accelerator/model/functional_model.hpp"

namespace td::sim {

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
};

/// Of all that a functional model has counted. Exact: bytes of off_chip are those that the hardware
/// counts.
LevelBytes level_bytes(const Geometry& geometry, const ModelCounts& moved,
                       const ComputeCounts& compute);

/// Beats of the bus, which moves a row's bytes in each.
struct BusBeats {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

/// Those of the bytes of off_chip.
BusBeats bus_beats(const Geometry& geometry, const LevelBytes& bytes);

/// What came between two counts.
LevelBytes difference(const LevelBytes& after, const LevelBytes& before);

void add(LevelBytes& sum, const LevelBytes& other);

}  // namespace td::sim
