// SPDX-License-Identifier: Apache-2.0
// The memories of a chip: how many there are, what they are in a table, what clock they bear.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/configuration/config.hpp"
#include "sim/memory/technology.hpp"

namespace td::sim {

/// Memories that are all of one size.
struct MemoryKind {
  const char* name;                      ///< of a technology's table of figures
  MemoryFigures Technology::*figures;    ///< of one
  const char* size;                      ///< the parameter that says how large one is
  std::int64_t Accelerator::*bytes;      ///< the same
  std::int64_t (*count)(const Config&);  ///< in all tiles together
};

const std::array<MemoryKind, 2>& memory_kinds();

/// A figure of all memories together, of tiles at work and of others: leakage, or area.
double of_all_memories(const Config& config, const Technology& technology,
                       double MemoryFigures::*figure);

/// Gives the technology the figures that a table has for the configuration's sizes. Throws
/// UserError naming `file`, or the size, for what the table does not have: nothing is interpolated.
void take_memories(const MemoryChoice& choice, const Config& config, const std::string& file,
                   Technology& technology);

/// The fastest clock, in whole MHz, at which every memory takes an access in every clock; 0 where
/// no cycle time is known.
std::int64_t fastest_MHz(const Technology& technology);

/// Clocks from an access to its data: latency alone, since accesses are pipelined. 0 where no
/// access time is known.
std::int64_t access_clocks(const MemoryFigures& memory, std::int64_t clock_MHz);

/// Throws UserError when the technology's clock is faster than the cycle time of a memory.
void check_cycle_times(const Technology& technology, const Config& config, const std::string& file);

}  // namespace td::sim
