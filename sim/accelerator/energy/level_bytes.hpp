// SPDX-License-Identifier: Apache-2.0
// The bytes of every level, from the functional model's counts.
#pragma once

#include <cstdint>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/levels.hpp"
#include "sim/accelerator/model/functional_model.hpp"

namespace td::sim {

/// Of all that a functional model has counted. Exact: bytes of off_chip are those that the hardware
/// counts.
LevelBytes level_bytes(const Geometry& geometry, const ModelCounts& moved,
                       const ComputeCounts& compute);

/// Clocks for which the bus is busy, each way.
struct BusBeats {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

BusBeats bus_beats(const Geometry& geometry, const ModelCounts& moved);

/// What came between two counts.
LevelBytes difference(const LevelBytes& after, const LevelBytes& before);

void add(LevelBytes& sum, const LevelBytes& other);

}  // namespace td::sim
