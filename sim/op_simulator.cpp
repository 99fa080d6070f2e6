// SPDX-License-Identifier: Apache-2.0
#include "sim/op_simulator.hpp"

#include "sim/group_scheduler.hpp"
#include "sim/mapping.hpp"
#include "sim/stream_sets.hpp"
#include "sim/tile_split.hpp"

namespace td::sim {
namespace {

/// One operation on its way through the simulation.
class OpRun {
 public:
  OpRun(const Config& config, const OperandSource& source, const LayerInfo& layer, Op op,
        Which scheduled)
      : config_(config),
        source_(source),
        layer_(layer),
        mapping_(layer, op, config.lanes),
        scheduled_(scheduled),
        two_sided_(config.scheduling == Scheduling::two_sided),
        sets_(two_sided_ ? paired_streams(mapping_)
                         : shared_streams(mapping_, scheduled, config.rows)),
        lanes_(sets_.sets.size()),
        cycles_(sets_.sets.size()) {}

  /// Schedules everything and calls `visit(first pass, passes, cycles of each)`; several visits of
  /// a pass add up.
  template <class Visit>
  void schedule(bool dense, Visit visit) {
    const GroupJob job{source_, layer_, mapping_, sets_, scheduled_, dense};
    // Without sharing a group is a pass, and there can be too many of them to be kept.
    if (!two_sided_) group_cycles_.resize(static_cast<std::size_t>(sets_.groups));
    schedule_groups(config_, job, [&](const ScheduledGroups& scheduled) {
      const auto set = static_cast<std::size_t>(&scheduled.set - sets_.sets.data());
      add(lanes_[set], scheduled.lanes);
      for (std::size_t i = 0; i < scheduled.groups.size(); ++i) {
        cycles_[set] += scheduled.cycles[i];
        if (two_sided_) {
          visit(scheduled.groups[i], std::int64_t{1}, std::int64_t{scheduled.cycles[i]});
        } else {
          group_cycles_[static_cast<std::size_t>(scheduled.groups[i])] += scheduled.cycles[i];
        }
      }
    });
    if (two_sided_) return;
    visit_blocks([&](std::size_t block, std::int64_t first_pass) {
      visit_passes(mapping_.blocks()[block], sets_.first_group[block], first_pass, visit);
    });
  }

  /// Passes, rows and dense cycles, which do not depend on the operands.
  void count_passes(int tiles, OpCycles& result) const {
    TileSplit dense(tiles);
    visit_blocks([&](std::size_t b, std::int64_t first_pass) {
      const Block& block = mapping_.blocks()[b];
      const std::int64_t count = passes(block, config_.rows, config_.columns, scheduled_);
      dense.add(first_pass, count, block.rows());
      result.passes += count;
      result.rows += count * block.rows();
    });
    result.dense_cycles = dense.slowest();
  }

  /// Where the multipliers' cycles went, from the lanes of the scheduled streams: a stream works in
  /// as many columns as it meets other streams, in all blocks that share it.
  void count_multipliers(int tiles, bool dense, OpCycles& result) const {
    MultiplierCycles& all = result.multipliers;
    for (std::size_t i = 0; i < sets_.sets.size(); ++i) {
      const StreamSet& set = sets_.sets[i];
      const LaneCounts& lanes = lanes_[i];
      const std::int64_t columns = set.shared * set.other_streams;
      const std::int64_t slots = lanes.row_cycles * config_.lanes;
      const std::int64_t idle = lanes.channel_padding + lanes.lane_conflicts + lanes.stream_tail +
                                lanes.row_imbalance + lanes.depth_limit;
      const std::int64_t all_columns =
          set.shared * ((set.other_streams - 1) / config_.columns + 1) * config_.columns;
      all.array_edge += cycles_[i] * config_.rows * config_.lanes * all_columns - slots * columns;
      all.effectual += (slots - idle) * columns;
      all.channel_padding += lanes.channel_padding * columns;
      all.lane_conflicts += lanes.lane_conflicts * columns;
      all.stream_tail += lanes.stream_tail * columns;
      all.row_imbalance += lanes.row_imbalance * columns;
      // A dense tile's lane is not idle beside a zero: it multiplies it.
      (dense ? all.ineffectual : all.depth_limit) += lanes.depth_limit * columns;
    }
    all.tile_imbalance = (result.cycles * tiles - result.tile_cycles) * config_.rows *
                         config_.columns * config_.lanes;
  }

 private:
  static void add(LaneCounts& sum, const LaneCounts& lanes) {
    sum.row_cycles += lanes.row_cycles;
    sum.channel_padding += lanes.channel_padding;
    sum.lane_conflicts += lanes.lane_conflicts;
    sum.stream_tail += lanes.stream_tail;
    sum.row_imbalance += lanes.row_imbalance;
    sum.depth_limit += lanes.depth_limit;
  }

  /// Calls `visit(block, number of its first pass)` for all blocks with rows.
  template <class Visit>
  void visit_blocks(Visit visit) const {
    std::int64_t first_pass = 0;
    for (std::size_t b = 0; b < mapping_.blocks().size(); ++b) {
      if (sets_.first_group[b] < 0) continue;
      visit(b, first_pass);
      first_pass += passes(mapping_.blocks()[b], config_.rows, config_.columns, scheduled_);
    }
  }

  /// The passes of a block: groups of first streams are the outer loop, one side is scheduled.
  template <class Visit>
  void visit_passes(const Block& block, std::int64_t first_group, std::int64_t pass,
                    Visit visit) const {
    const bool first = scheduled_ == Which::first;
    const std::int64_t* cycles = group_cycles_.data() + first_group;
    const std::int64_t outer_size = first ? config_.rows : config_.columns;
    const std::int64_t outer = (block.first_streams - 1) / outer_size + 1;
    const std::int64_t inner = passes(block, config_.rows, config_.columns, scheduled_) / outer;
    for (std::int64_t i = 0; i < outer; ++i, pass += inner) {
      if (first) {
        visit(pass, inner, cycles[i]);
      } else {
        for (std::int64_t j = 0; j < inner; ++j) visit(pass + j, std::int64_t{1}, cycles[j]);
      }
    }
  }

  const Config& config_;
  const OperandSource& source_;
  const LayerInfo& layer_;
  Mapping mapping_;
  Which scheduled_;
  bool two_sided_;
  StreamSets sets_;
  std::vector<LaneCounts> lanes_;           ///< [set]
  std::vector<std::int64_t> cycles_;        ///< [set]: of its groups
  std::vector<std::int64_t> group_cycles_;  ///< [group]; one-sided only
};

}  // namespace

OpCycles OpSimulator::run(const OperandSource& source, const LayerInfo& layer, Op op,
                          Which scheduled, bool dense) const {
  dense = dense || config_.is_dense();
  OpRun run(config_, source, layer, op, scheduled);
  OpCycles result;
  result.scheduled = scheduled;
  run.count_passes(tiles_, result);
  TileSplit split(tiles_);
  run.schedule(dense, [&](std::int64_t first, std::int64_t count, std::int64_t cycles) {
    split.add(first, count, cycles);
  });
  result.cycles = split.slowest();
  result.tile_cycles = split.total();
  run.count_multipliers(tiles_, dense, result);
  return result;
}

std::vector<std::int64_t> OpSimulator::pass_cycles(const OperandSource& source,
                                                   const LayerInfo& layer, Op op,
                                                   Which scheduled) const {
  OpRun run(config_, source, layer, op, scheduled);
  OpCycles counts;
  run.count_passes(1, counts);
  std::vector<std::int64_t> result(static_cast<std::size_t>(counts.passes));
  run.schedule(config_.is_dense(),
               [&](std::int64_t first, std::int64_t count, std::int64_t cycles) {
                 for (std::int64_t i = first; i < first + count; ++i) {
                   result[static_cast<std::size_t>(i)] += cycles;
                 }
               });
  return result;
}

}  // namespace td::sim
