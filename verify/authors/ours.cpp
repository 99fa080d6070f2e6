// SPDX-License-Identifier: Apache-2.0
// Each group of scheduled streams goes through the scheduler once, whatever the other side holds.
#include "verify/authors/ours.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gen/config.hpp"
#include "sim/arith.hpp"
#include "sim/mapping.hpp"
#include "sim/operand_choice.hpp"
#include "sim/scheduler.hpp"

namespace td::authors {
namespace {

using sim::LaneMask;
using sim::Which;

/// Effectual lanes, [row] of one stream.
using Masks = std::vector<LaneMask>;

Config tile_config(const Tile& tile) {
  return parse_config(fmt::format("name = \"authors\"\n[tile]\nlanes = 16\nrows = {}\n"
                                  "columns = {}\n[interconnect]\ndepth = 3\n"
                                  "pattern = \"step_first\"\n",
                                  tile.rows, tile.columns),
                      "authors");
}

/// The operation with one operand scheduled.
class Run {
 public:
  Run(const Layer& layer, sim::Op op, Which scheduled, const Config& config)
      : mapping_(layer.info, op, config.lanes),
        bits_(layer.bits(sim::operand(op, scheduled))),
        scheduled_(scheduled),
        config_(config),
        scheduler_(config) {}

  std::int64_t dense_cycles() const {
    return sim::dense_cycles(mapping_, config_.rows, config_.columns, scheduled_);
  }

  std::int64_t cycles() const {
    std::int64_t cycles = 0;
    for (const sim::Block& block : mapping_.blocks()) cycles += block_cycles(block);
    return cycles;
  }

 private:
  std::int64_t block_cycles(const sim::Block& block) const {
    if (block.rows() == 0) return 0;
    const bool first = scheduled_ == Which::first;
    const std::int64_t streams = first ? block.first_streams : block.second_streams;
    const std::int64_t others = first ? block.second_streams : block.first_streams;
    const std::int64_t replays = (others + config_.columns - 1) / config_.columns;
    std::int64_t cycles = 0;
    for (std::int64_t begin = 0; begin < streams; begin += config_.rows) {
      std::vector<Masks> group;
      for (std::int64_t i = begin; i < std::min(streams, begin + config_.rows); ++i) {
        group.push_back(masks(block, i));
      }
      for (std::int64_t segment = 0; segment < block.segments; ++segment) {
        cycles += replays * group_cycles(group, segment * block.segment_rows,
                                         (segment + 1) * block.segment_rows);
      }
    }
    return cycles;
  }

  Masks masks(const sim::Block& block, std::int64_t stream) const {
    const auto lanes = static_cast<std::size_t>(config_.lanes);
    std::vector<std::int64_t> indices(static_cast<std::size_t>(block.rows()) * lanes);
    mapping_.gather_indices(block, scheduled_, stream, indices.data());
    Masks masks(static_cast<std::size_t>(block.rows()));
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 0) continue;
      const bool zero = sim::is_zero(kFormat, bits_[static_cast<std::size_t>(indices[i])]);
      masks[i / lanes] |= LaneMask{!zero} << (i % lanes);
    }
    return masks;
  }

  /// Rows begin...end-1 are one stream: nothing beyond is eligible.
  std::int64_t group_cycles(std::vector<Masks>& group, std::int64_t begin, std::int64_t end) const {
    std::int64_t cycles = 0;
    for (; begin < end; ++cycles) {
      const std::int64_t visible = std::min<std::int64_t>(config_.depth, end - begin);
      std::int64_t advance = visible;
      for (Masks& rows : group) advance = std::min(advance, step(&rows[index(begin)], visible));
      begin += advance;
    }
    return cycles;
  }

  /// Leading rows that one tile row could leave behind.
  std::int64_t step(LaneMask* rows, std::int64_t visible) const {
    LaneMask window[sim::kMaximumDepth] = {};
    std::copy_n(rows, visible, window);
    sim::Choice choice;
    scheduler_.choose(window, choice);
    std::copy_n(window, visible, rows);
    return std::find_if(rows, rows + visible, [](LaneMask row) { return row != 0; }) - rows;
  }

  static std::size_t index(std::int64_t row) { return static_cast<std::size_t>(row); }

  sim::Mapping mapping_;
  const std::vector<std::uint32_t>& bits_;
  Which scheduled_;
  Config config_;
  sim::Scheduler scheduler_;
};

}  // namespace

Cost tdsim_cost(const Layer& layer, sim::Op op, const Tile& tile) {
  const sim::ZeroShares shares =
      sim::zero_shares(layer.info, op, kFormat, layer.bits(sim::operand(op, Which::first)),
                       layer.bits(sim::operand(op, Which::second)));
  const bool first = shares.scheduled() == Which::first;
  const Run run(layer, op, shares.scheduled(), tile_config(tile));
  return {first, !first, run.dense_cycles(), run.cycles()};
}

}  // namespace td::authors
