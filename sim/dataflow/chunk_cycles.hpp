// SPDX-License-Identifier: Apache-2.0
// Cycles of the scheduled streams of an operation, group by group and chunk by chunk; a chunk is a
// scheduling boundary, so that its tail costs cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/configuration/config.hpp"
#include "sim/dataflow/dataflow.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// One-sided scheduling, where a pass takes as long as its scheduled group, whatever it meets.
class ChunkCycles {
 public:
  /// Schedules everything with `scheduled` on side B, on the threads of the caller's arena.
  /// `chunk_rows` as in Dataflow.
  ChunkCycles(const Config& config, const OperandSource& source, const LayerInfo& layer, Op op,
              Which scheduled, std::int64_t chunk_rows);

  /// Of the array where groups of each side meet in the dataflow's waves: each ends with its
  /// slowest. Its chunks are those that were scheduled.
  std::int64_t array_cycles(const Dataflow& dataflow) const;

  /// Of all passes: what tiles work, without waiting.
  std::int64_t tile_cycles() const;

 private:
  /// A super-block and those alike.
  struct Table {
    std::int64_t repeats;
    std::int64_t groups;        ///< scheduled
    std::int64_t other_groups;  ///< that each of them meets
    std::int64_t units;         ///< of the first side: images, where `by_image`
    bool by_image;
    Chunks chunks;
    std::vector<std::uint32_t> cycles;  ///< [repeat][group][chunk]
  };

  /// Of the scheduled groups begin…end-1 of each repeat, dealt in waves of so many tiles.
  std::int64_t wave_cycles(const Table& table, std::int64_t begin, std::int64_t end,
                           std::int64_t tiles) const;
  /// Of the scheduled groups of all repeats with everything that they meet.
  std::int64_t table_cycles(const Table& table, const Dataflow& dataflow) const;

  /// Of the chunks of a group, from which repeat and group on.
  const std::uint32_t* group(const Table& table, std::int64_t index) const {
    return table.cycles.data() + index * table.chunks.count;
  }

  Which scheduled_;
  std::vector<Table> tables_;
};

}  // namespace td::sim
