// SPDX-License-Identifier: Apache-2.0
// Counts in closed form over the loop nest of dataflow.hpp.
#include "sim/dataflow/dataflow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/memory/memory.hpp"

namespace td::sim {

namespace {

Which other(Which side) { return side == Which::first ? Which::second : Which::first; }

/// Rows of partial sums that the result memories hold: a half, results leave through the other.
std::int64_t result_rows(const Config& config) {
  const Accelerator& machine = config.accelerator;
  const std::int64_t bank_rows = machine.sram_bank_bytes / (config.lanes * kPartialBytes);
  return machine.tiles * machine.sram_banks * bank_rows / 2;
}

struct Size {
  std::int64_t streams;
  std::int64_t groups;
};

std::vector<Size> sizes(const Groups& groups) {
  const std::int64_t full = groups.streams / groups.lines;
  const std::int64_t last = groups.streams % groups.lines;
  return {{groups.lines, groups.units * full}, {last, last > 0 ? groups.units : 0}};
}

/// Whole rows for each pair of groups, full ones and the last ones of units.
std::int64_t rows_of_all_pairs(const Groups& first, const Groups& second, int lanes) {
  std::int64_t rows = 0;
  for (const auto& [one, ones] : sizes(first)) {
    for (const auto& [two, twos] : sizes(second)) {
      rows += ones * twos * ceil_div(one * two, lanes);
    }
  }
  return rows;
}

/// Images that are units come part by part; each part fills the scratchpads anew.
std::vector<SuperBlock> in_parts(const std::vector<SuperBlock>& blocks, std::int64_t images) {
  std::vector<SuperBlock> parts;
  for (const SuperBlock& block : blocks) {
    parts.push_back(block);
    if (images == 0 || block.sums_images || block.units <= images) continue;
    parts.back().units = images;
    parts.back().repeats *= block.units / images;
    if (block.units % images == 0) continue;
    parts.push_back(block);
    parts.back().units %= images;
  }
  return parts;
}

/// One super-block on its way through the nest.
class Nest {
 public:
  Nest(const SuperBlock& block, const Config& config, Which scheduled, const Dataflow& dataflow)
      : block_(block),
        config_(config),
        dataflow_(dataflow),
        chunks_(chunks(block, dataflow.chunk_rows)),
        stationary_(groups(block, dataflow.stationary, config, scheduled)),
        moving_(groups(block, other(dataflow.stationary), config, scheduled)),
        stationary_tiles_(dataflow.tiles(dataflow.stationary)),
        moving_tiles_(dataflow.tiles(other(dataflow.stationary))),
        stationary_waves_(ceil_div(stationary_.count(), stationary_tiles_)),
        moving_waves_(ceil_div(moving_.count(), moving_tiles_)) {}

  /// Waves of the moving side whose partial sums fit the result memory; 0: not one. Where all sums
  /// stay from part to part, there is room for those of all waves.
  std::int64_t block_waves() const {
    if (chunks_.count == 1 || sums_stay()) return moving_waves_;
    const std::int64_t pass_rows = ceil_div(stationary_.lines * moving_.lines, config_.lanes);
    const std::int64_t wave_rows = stationary_tiles_ * moving_tiles_ * pass_rows;
    const std::int64_t room = std::max<std::int64_t>(result_rows(config_) - dataflow_.kept_rows, 0);
    return std::min(moving_waves_, room / wave_rows);
  }

  /// wgrad, a part of its images at a time.
  bool sums_stay() const {
    return block_.sums_images && dataflow_.images > 0 && dataflow_.images < block_.segments;
  }
  /// Whether every chunk is of one part.
  bool chunks_are_of_parts() const {
    return !sums_stay() || dataflow_.images % chunks_.segments == 0;
  }

  StreamRows moving_rows() const {
    const std::int64_t rows = moving_.all_streams() * block_.rows();
    const std::int64_t passes = stationary_.count();
    return {rows * stationary_waves_, rows * passes, rows * passes};
  }

  StreamRows stationary_rows() const {
    const std::int64_t rows = stationary_.all_streams() * block_.rows();
    const std::int64_t passes = moving_.count();
    if (chunks_.rows() > scratchpad_rows(config_)) {
      return {rows * moving_waves_, rows * passes, rows * passes};
    }
    const std::int64_t blocks = ceil_div(moving_waves_, block_waves());
    const std::int64_t last_groups = moving_.count() - (blocks - 1) * block_waves() * moving_tiles_;
    const std::int64_t copies = (blocks - 1) * moving_tiles_ + std::min(moving_tiles_, last_groups);
    return {rows * blocks, rows * copies, rows * passes};
  }

  void count(DataflowCounts& counts) const {
    const std::int64_t pairs = stationary_.count() * moving_.count();
    counts.partial_rows =
        (chunks_.count - 1) * rows_of_all_pairs(stationary_, moving_, config_.lanes);
    counts.passes = chunks_.count * pairs;
    counts.tile_rows = pairs * block_.rows();
    counts.array_rows = stationary_waves_ * moving_waves_ * block_.rows();
  }

 private:
  const SuperBlock& block_;
  const Config& config_;
  const Dataflow& dataflow_;
  Chunks chunks_;
  Groups stationary_;
  Groups moving_;
  std::int64_t stationary_tiles_;
  std::int64_t moving_tiles_;
  std::int64_t stationary_waves_;
  std::int64_t moving_waves_;
};

}  // namespace

std::int64_t scratchpad_rows(const Config& config) {
  const std::int64_t row_bytes = config.lanes * (width(config.format) / 8);
  return config.depth * (config.accelerator.scratchpad_bank_bytes / row_bytes / 2);
}

std::vector<Dataflow> candidates(const Config& config, std::int64_t chunk_rows) {
  const std::int64_t tiles = config.accelerator.tiles;
  std::vector<Dataflow> result;
  for (std::int64_t first = 1; first <= tiles; ++first) {
    // A smaller number that leaves as many second groups is this one with idle tiles.
    if (first < tiles && tiles / (first + 1) == tiles / first) continue;
    for (const Which side : {Which::first, Which::second}) {
      result.push_back({side, first, tiles / first, chunk_rows});
    }
  }
  return result;
}

std::string obstacle(const std::vector<SuperBlock>& blocks, const Config& config, Which scheduled,
                     const Dataflow& dataflow) {
  if (dataflow.first_tiles < 1 || dataflow.second_tiles < 1 || dataflow.chunk_rows < 0 ||
      dataflow.images < 0 || dataflow.kept_rows < 0) {
    return "numbers of tiles start at 1, those of rows and images at 0";
  }
  const std::int64_t tiles = dataflow.first_tiles * dataflow.second_tiles;
  if (tiles > config.accelerator.tiles) {
    return fmt::format("{} tiles at work, of {}", tiles, config.accelerator.tiles);
  }
  const std::int64_t all_rows = dataflow.kept_rows + partial_rows(blocks, config, scheduled);
  for (const SuperBlock& block : in_parts(blocks, dataflow.images)) {
    const Nest nest(block, config, scheduled, dataflow);
    if (nest.block_waves() == 0) {
      return fmt::format("half of the result memories, {} rows, holds no wave's partial sums",
                         result_rows(config));
    }
    if (!nest.chunks_are_of_parts()) return "a chunk has images of two parts";
    if (nest.sums_stay() && all_rows > result_rows(config)) {
      return fmt::format("half of the result memories, {} rows, holds no {} of sums",
                         result_rows(config), all_rows);
    }
  }
  return "";
}

void StreamRows::add(const StreamRows& other, std::int64_t times) {
  sram_read += times * other.sram_read;
  filled += times * other.filled;
  scratchpad_read += times * other.scratchpad_read;
}

void DataflowCounts::add(const DataflowCounts& other, std::int64_t times) {
  first.add(other.first, times);
  second.add(other.second, times);
  partial_rows += times * other.partial_rows;
  passes += times * other.passes;
  tile_rows += times * other.tile_rows;
  array_rows += times * other.array_rows;
}

std::int64_t partial_rows(const std::vector<SuperBlock>& blocks, const Config& config,
                          Which scheduled) {
  std::int64_t rows = 0;
  for (const SuperBlock& block : blocks) {
    rows += block.repeats * rows_of_all_pairs(groups(block, Which::first, config, scheduled),
                                              groups(block, Which::second, config, scheduled),
                                              config.lanes);
  }
  return rows;
}

DataflowCounts dataflow_counts(const std::vector<SuperBlock>& blocks, const Config& config,
                               Which scheduled, const Dataflow& dataflow) {
  const std::string reason = obstacle(blocks, config, scheduled, dataflow);
  if (!reason.empty()) throw std::invalid_argument("dataflow_counts: " + reason);
  DataflowCounts all;
  for (const SuperBlock& block : in_parts(blocks, dataflow.images)) {
    const Nest nest(block, config, scheduled, dataflow);
    DataflowCounts counts;
    const bool first_stays = dataflow.stationary == Which::first;
    (first_stays ? counts.first : counts.second) = nest.stationary_rows();
    (first_stays ? counts.second : counts.first) = nest.moving_rows();
    nest.count(counts);
    all.add(counts, block.repeats);
  }
  return all;
}

}  // namespace td::sim
