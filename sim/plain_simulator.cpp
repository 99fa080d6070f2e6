// SPDX-License-Identifier: Apache-2.0
#include "sim/plain_simulator.hpp"

#include <algorithm>
#include <bitset>
#include <map>

#include "sim/arith.hpp"
#include "sim/run_result.hpp"
#include "sim/scheduler.hpp"

namespace td::sim {

namespace {

std::int64_t ones(LaneMask mask) {
  return static_cast<std::int64_t>(std::bitset<64>(mask).count());
}

/// The streams that a tile's rows share among the passes: their masks [stream][row].
using Group = std::vector<std::vector<LaneMask>>;

/// What one column of PEs does in a pass; the parts count the rows of PEs that have a stream.
struct ColumnCycles {
  std::int64_t cycles = 0;
  MultiplierCycles parts;
};

class PlainSimulator {
 public:
  PlainSimulator(const Mapping& mapping, const Config& config, Which scheduled,
                 const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second)
      : mapping_(mapping),
        config_(config),
        scheduler_(config),
        scheduled_(scheduled),
        other_(scheduled == Which::first ? Which::second : Which::first),
        first_(first),
        second_(second) {}

  OpCycles run(std::int64_t tiles) {
    OpCycles result;
    result.scheduled = scheduled_;
    std::vector<std::int64_t> dense(static_cast<std::size_t>(tiles));
    std::vector<std::int64_t> cycles(dense.size());
    for (const Block& block : mapping_.blocks()) {
      if (block.rows() == 0) continue;
      groups_.clear();
      filled_ = filled_lanes(block);
      const std::int64_t passes = sim::passes(block, config_.rows, config_.columns, scheduled_);
      for (std::int64_t i = 0; i < passes; ++i) {
        const std::size_t tile = static_cast<std::size_t>(result.passes++ % tiles);
        dense[tile] += block.rows();
        cycles[tile] += run_pass(block, i, result.multipliers);
        result.rows += block.rows();
      }
    }
    result.dense_cycles = *std::max_element(dense.begin(), dense.end());
    result.cycles = *std::max_element(cycles.begin(), cycles.end());
    for (const std::int64_t one : cycles) {
      result.tile_cycles += one;
      result.multipliers.tile_imbalance +=
          (result.cycles - one) * config_.rows * config_.columns * config_.lanes;
    }
    return result;
  }

 private:
  std::int64_t run_pass(const Block& block, std::int64_t index, MultiplierCycles& sum) {
    const Pass pass = sim::pass(block, config_.rows, config_.columns, scheduled_, index);
    const bool first = scheduled_ == Which::first;
    const std::int64_t rows = first ? pass.first_count : pass.second_count;
    const std::int64_t columns = first ? pass.second_count : pass.first_count;
    const ColumnCycles column = schedule_pass(block, first ? pass.first_begin : pass.second_begin,
                                              rows, first ? pass.second_begin : pass.first_begin);
    for (const Part& part : parts()) sum.*part.cycles += column.parts.*part.cycles * columns;
    sum.array_edge += column.cycles * config_.lanes *
                      (std::int64_t{config_.rows} * config_.columns - rows * columns);
    return column.cycles;
  }

  /// Passes that share their scheduled streams share their schedule, unless both sides choose.
  ColumnCycles schedule_pass(const Block& block, std::int64_t begin, std::int64_t rows,
                             std::int64_t other_begin) {
    if (config_.scheduling == Scheduling::two_sided) {
      Group group = load(block, scheduled_, begin, 1);
      const Group other = load(block, other_, other_begin, 1);
      for (std::size_t t = 0; t < group[0].size(); ++t) group[0][t] &= other[0][t];
      return schedule(block, group);
    }
    const auto known = groups_.find(begin);
    if (known != groups_.end()) return known->second;
    return groups_[begin] = schedule(block, load(block, scheduled_, begin, rows));
  }

  std::vector<std::int64_t> indices(const Block& block, Which which, std::int64_t stream) const {
    std::vector<std::int64_t> found(static_cast<std::size_t>(block.rows() * config_.lanes));
    mapping_.gather_indices(block, which, stream, found.data());
    return found;
  }

  Group load(const Block& block, Which which, std::int64_t begin, std::int64_t count) const {
    const std::vector<std::uint32_t>& bits = which == Which::first ? first_ : second_;
    Group group;
    for (std::int64_t stream = begin; stream < begin + count; ++stream) {
      std::vector<LaneMask> masks(static_cast<std::size_t>(block.rows()));
      std::size_t at = 0;
      for (const std::int64_t index : indices(block, which, stream)) {
        const auto lanes = static_cast<std::size_t>(config_.lanes);
        if (index >= 0 && !is_zero(config_.format, bits[static_cast<std::size_t>(index)])) {
          masks[at / lanes] |= LaneMask{1} << at % lanes;
        }
        ++at;
      }
      group.push_back(std::move(masks));
    }
    return group;
  }

  /// The lanes of each row that no stream of either side uses: padding in space is in one side's
  /// streams alone.
  std::vector<LaneMask> filled_lanes(const Block& block) const {
    const std::vector<std::int64_t> first = indices(block, Which::first, 0);
    const std::vector<std::int64_t> second = indices(block, Which::second, 0);
    const auto lanes = static_cast<std::size_t>(config_.lanes);
    std::vector<LaneMask> filled(static_cast<std::size_t>(block.rows()));
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] < 0 && second[i] < 0) filled[i / lanes] |= LaneMask{1} << i % lanes;
    }
    return filled;
  }

  ColumnCycles schedule(const Block& block, Group group) const {
    ColumnCycles column;
    for (std::int64_t s = 0; s < block.segments; ++s) {
      const auto begin = static_cast<std::size_t>(s * block.segment_rows);
      const auto end = begin + static_cast<std::size_t>(block.segment_rows);
      for (std::size_t at = begin; at < end; ++column.cycles) {
        at += config_.is_dense() ? step_dense(group, at, column.parts)
                                 : step(group, at, end, column.parts);
      }
    }
    return column;
  }

  std::size_t step_dense(const Group& group, std::size_t at, MultiplierCycles& parts) const {
    for (const std::vector<LaneMask>& stream : group) {
      parts.effectual += ones(stream[at]);
      parts.ineffectual += config_.lanes - ones(stream[at]);
    }
    return 1;
  }

  /// One step of the tile at row `at` of a stream that ends at `end`: the rows that leave.
  std::size_t step(Group& group, std::size_t at, std::size_t end, MultiplierCycles& parts) const {
    const std::size_t visible = std::min(static_cast<std::size_t>(config_.depth), end - at);
    std::vector<LaneMask> taken;
    std::vector<std::size_t> empty;
    for (std::vector<LaneMask>& stream : group) {
      LaneMask window[kMaximumDepth] = {};
      std::copy_n(&stream[at], visible, window);
      Choice choice;
      scheduler_.choose(window, choice);
      std::copy_n(window, visible, &stream[at]);
      taken.push_back(0);
      for (std::size_t p = 0; p < config_.places.size(); ++p) taken.back() |= choice.lanes[p];
      empty.push_back(0);
      while (empty.back() < visible && window[empty.back()] == 0) ++empty.back();
    }
    const std::size_t advance = *std::min_element(empty.begin(), empty.end());
    const LaneMask all = ~LaneMask{0} >> (64 - config_.lanes);
    for (std::size_t r = 0; r < group.size(); ++r) {
      parts.effectual += ones(taken[r]);
      const LaneMask idle = all & ~taken[r];
      parts.channel_padding += ones(idle & filled_[at]);
      const std::int64_t lost = ones(idle & ~filled_[at]);
      const bool exhausted = empty[r] == visible;
      const bool ends = at + visible == end;
      (!exhausted           ? parts.lane_conflicts
       : ends               ? parts.stream_tail
       : advance < empty[r] ? parts.row_imbalance
                            : parts.depth_limit) += lost;
    }
    return advance;
  }

  const Mapping& mapping_;
  const Config& config_;
  const Scheduler scheduler_;
  const Which scheduled_;
  const Which other_;
  const std::vector<std::uint32_t>& first_;
  const std::vector<std::uint32_t>& second_;
  std::map<std::int64_t, ColumnCycles> groups_;  ///< of the block, by their first stream
  std::vector<LaneMask> filled_;                 ///< of the block, by row
};

}  // namespace

OpCycles simulate_plainly(const Mapping& mapping, const Config& config, std::int64_t tiles,
                          Which scheduled, const std::vector<std::uint32_t>& first,
                          const std::vector<std::uint32_t>& second) {
  return PlainSimulator(mapping, config, scheduled, first, second).run(tiles);
}

}  // namespace td::sim
