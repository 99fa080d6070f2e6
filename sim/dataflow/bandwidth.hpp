// SPDX-License-Identifier: Apache-2.0
// How long the large memories take for what a dataflow moves.
#pragma once

#include <cstdint>

#include "gen/configuration/config.hpp"
#include "sim/memory/memory.hpp"
#include "sim/memory/technology.hpp"

namespace td::sim {

/// Rows that go in and out of the large memories of all tiles.
struct SramRows {
  std::int64_t first = 0;    ///< of the first operand's memories
  std::int64_t second = 0;   ///< of the second's
  std::int64_t partial = 0;  ///< of partial sums, which share the third kind with results
};

/// Clocks until the busiest kind of memory has made all accesses, one in each bank at a time, rows
/// lying evenly over the banks of all tiles. A row wider than the technology's port takes several;
/// where it names no port, banks are as wide as rows.
std::int64_t sram_cycles(const Config& config, const Technology& technology, const SramRows& rows,
                         const MemoryTraffic& traffic);

}  // namespace td::sim
