// SPDX-License-Identifier: Apache-2.0
#include "sim/dataflow/chunk_cycles.hpp"

#include <algorithm>
#include <numeric>

#include "sim/cycles/group_scheduler.hpp"
#include "sim/cycles/stream_sets.hpp"

namespace td::sim {

namespace {

/// Index of a group of streams among those of all repeats of its super-block.
std::int64_t group_index(const StreamSets& sets, const StreamSet& set, std::int64_t number) {
  const std::int64_t in_set = number - set.first_number;
  if (sets.is_shared) return in_set;  // class by class, all groups of a class
  return in_set / set.class_numbers * set.groups + in_set % set.class_numbers / set.group_numbers;
}

}  // namespace

ChunkCycles::ChunkCycles(const Config& config, const OperandSource& source, const LayerInfo& layer,
                         Op op, Which scheduled, std::int64_t chunk_rows)
    : scheduled_(scheduled) {
  const Mapping mapping(layer, op, config.lanes);
  const StreamSets sets = stream_sets(mapping, scheduled, config);
  GroupJob job{source, layer, mapping, sets, scheduled, config.is_dense(), {}, nullptr, nullptr};
  for (const SuperBlock& block : super_blocks(mapping)) {  // as many as sets
    const Which other = scheduled == Which::first ? Which::second : Which::first;
    Table table{block.repeats,
                groups(block, scheduled, config, scheduled).count(),
                groups(block, other, config, scheduled).count(),
                block.units,
                !block.sums_images,
                chunks(block, chunk_rows),
                {}};
    table.cycles.resize(
        static_cast<std::size_t>(table.repeats * table.groups * table.chunks.count));
    job.piece_rows.push_back(table.chunks.piece_rows);
    tables_.push_back(std::move(table));
  }
  schedule_groups(config, job, [&](const ScheduledGroups& done) {
    Table& table = tables_[static_cast<std::size_t>(&done.set - sets.sets.data())];
    const Chunks& cut = table.chunks;
    for (std::size_t i = 0; i < done.numbers.size(); ++i) {
      for (std::int64_t repeat = 0; repeat < done.repeats; ++repeat) {
        // Equal images are streams of their own, or segments of the same.
        const std::int64_t shift = sets.per_image ? repeat * done.set.class_numbers : 0;
        const std::int64_t segment = sets.per_image ? 0 : done.images[i] + repeat;
        const std::int64_t chunk = segment / cut.segments * cut.pieces + done.piece;
        const std::int64_t index = group_index(sets, done.set, done.numbers[i] + shift);
        table.cycles[static_cast<std::size_t>(index * cut.count + chunk)] += done.cycles[i];
      }
    }
  });
}

std::int64_t ChunkCycles::wave_cycles(const Table& table, std::int64_t begin, std::int64_t end,
                                      std::int64_t tiles) const {
  std::int64_t cycles = 0;
  for (std::int64_t repeat = 0; repeat < table.repeats; ++repeat) {
    for (std::int64_t wave = begin; wave < end; wave += tiles) {
      const std::int64_t wave_end = std::min(wave + tiles, end);
      for (std::int64_t chunk = 0; chunk < table.chunks.count; ++chunk) {
        std::uint32_t slowest = 0;
        for (std::int64_t i = wave; i < wave_end; ++i) {
          slowest = std::max(slowest, group(table, repeat * table.groups + i)[chunk]);
        }
        cycles += slowest;
      }
    }
  }
  return cycles;
}

std::int64_t ChunkCycles::table_cycles(const Table& table, const Dataflow& dataflow) const {
  const bool first = scheduled_ == Which::first;
  const std::int64_t first_groups = first ? table.groups : table.other_groups;
  const bool in_parts = table.by_image && dataflow.images > 0 && dataflow.images < table.units;
  const std::int64_t part_groups =
      in_parts ? first_groups / table.units * dataflow.images : first_groups;
  const auto over_parts = [&](const auto& part) {
    std::int64_t sum = 0;
    for (std::int64_t begin = 0; begin < first_groups; begin += part_groups) {
      sum += part(begin, std::min(begin + part_groups, first_groups));
    }
    return sum;
  };
  if (first) {
    return ceil_div(table.other_groups, dataflow.second_tiles) *
           over_parts([&](std::int64_t begin, std::int64_t end) {
             return wave_cycles(table, begin, end, dataflow.first_tiles);
           });
  }
  return wave_cycles(table, 0, table.groups, dataflow.second_tiles) *
         over_parts([&](std::int64_t begin, std::int64_t end) {
           return ceil_div(end - begin, dataflow.first_tiles);
         });
}

std::int64_t ChunkCycles::array_cycles(const Dataflow& dataflow) const {
  std::int64_t all = 0;
  for (const Table& table : tables_) all += table_cycles(table, dataflow);
  return all;
}

std::int64_t ChunkCycles::tile_cycles() const {
  std::int64_t all = 0;
  for (const Table& table : tables_) {
    all += table.other_groups *
           std::accumulate(table.cycles.begin(), table.cycles.end(), std::int64_t{0});
  }
  return all;
}

}  // namespace td::sim
