// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/op_simulator.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "sim/cycles/group_scheduler.hpp"
#include "sim/cycles/stream_sets.hpp"
#include "sim/cycles/tile_split.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {
namespace {

/// One operation on its way through the simulation.
class OpRun {
 public:
  OpRun(const Config& config, const OperandSource& source, const LayerInfo& layer, Op op,
        Which scheduled, Dealing dealing)
      : config_(config),
        source_(source),
        layer_(layer),
        mapping_(layer, op, config.lanes),
        scheduled_(scheduled),
        sets_(stream_sets(mapping_, scheduled, config)),
        lanes_(sets_.sets.size()),
        cycles_(sets_.sets.size()) {
    if (dealing == Dealing::natural || config.scheduling == Scheduling::two_sided) return;
    order_.emplace(config, source, layer, mapping_, sets_, scheduled, dealing);
  }

  /// Schedules only what these passes need; others are then visited without their cycles.
  void restrict_to(const std::vector<std::int64_t>& passes) {
    if (source_.has_equal_slabs()) return;  // the first image stands for that of any pass
    chosen_.assign(static_cast<std::size_t>(sets_.numbers), false);
    if (!sets_.is_shared) {
      for (const std::int64_t pass : passes) chosen_[static_cast<std::size_t>(pass)] = true;
      return;
    }
    auto next = passes.begin();  // ascending, as the visits are
    for_each_shared([&](std::int64_t pass, std::int64_t number) {
      if (next == passes.end() || *next != pass) return;
      chosen_[static_cast<std::size_t>(number)] = true;
      ++next;
    });
  }

  /// Schedules everything and calls `visit(first pass, passes, cycles of each)`; several visits of
  /// a pass add up.
  template <class Visit>
  void schedule(bool dense, Visit visit) {
    GroupJob job{source_, layer_,     mapping_,
                 sets_,   scheduled_, dense,
                 {},      nullptr,    order_ ? &*order_ : nullptr};
    if (!chosen_.empty()) {
      job.wanted = [this](const StreamSet& set, std::int64_t number) {
        const auto first = chosen_.begin() + number;
        const std::int64_t count = sets_.is_shared ? 1 : set.group_numbers;
        return std::find(first, first + count, true) != first + count;
      };
    }
    std::vector<std::int64_t> kept;  // of groups that many blocks share
    if (sets_.is_shared) kept.resize(static_cast<std::size_t>(sets_.numbers));
    schedule_groups(config_, job, [&](const ScheduledGroups& scheduled) {
      const auto set = static_cast<std::size_t>(&scheduled.set - sets_.sets.data());
      add(lanes_[set], scheduled.lanes, scheduled.repeats);
      for (std::size_t i = 0; i < scheduled.numbers.size(); ++i) {
        const std::int64_t cycles = scheduled.cycles[i];
        cycles_[set] += cycles * scheduled.repeats;
        if (sets_.is_shared) {
          kept[static_cast<std::size_t>(scheduled.numbers[i])] += cycles * scheduled.repeats;
        } else {
          visit_images(scheduled, scheduled.numbers[i], cycles, visit);
        }
      }
    });
    if (!sets_.is_shared) return;
    for_each_shared([&](std::int64_t pass, std::int64_t number) {
      visit(pass, std::int64_t{1}, kept[static_cast<std::size_t>(number)]);
    });
  }

  /// Passes, rows and dense cycles, which do not depend on the operands.
  void count_passes(int tiles, OpCycles& result) const {
    TileSplit dense(tiles);
    for (const Block& block : mapping_.blocks()) {
      if (block.rows() == 0) continue;
      const std::int64_t count = passes(block, config_.rows, config_.columns, scheduled_);
      dense.add(result.passes, count, block.rows());
      result.passes += count;
      result.rows += count * block.rows();
    }
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
  static void add(LaneCounts& sum, const LaneCounts& lanes, std::int64_t times) {
    sum.row_cycles += times * lanes.row_cycles;
    sum.channel_padding += times * lanes.channel_padding;
    sum.lane_conflicts += times * lanes.lane_conflicts;
    sum.stream_tail += times * lanes.stream_tail;
    sum.row_imbalance += times * lanes.row_imbalance;
    sum.depth_limit += times * lanes.depth_limit;
  }

  /// A group of streams whose image stands for several: a class for each where streams belong to
  /// images, else a part of the same stream in each.
  template <class Visit>
  void visit_images(const ScheduledGroups& scheduled, std::int64_t number, std::int64_t cycles,
                    Visit visit) const {
    const StreamSet& set = scheduled.set;
    if (!sets_.per_image) {
      visit(number, set.group_numbers, cycles * scheduled.repeats);
      return;
    }
    for (std::int64_t image = 0; image < scheduled.repeats; ++image) {
      visit(number + image * set.class_numbers, set.group_numbers, cycles);
    }
  }

  /// Calls `visit(pass, number of its group)` for all passes in their order, where blocks share
  /// groups: second streams, the scheduled ones, are the inner loop.
  template <class Visit>
  void for_each_shared(Visit visit) const {
    const BlockList& blocks = mapping_.blocks();
    const auto classes = static_cast<std::size_t>(blocks.groups());
    const std::size_t class_blocks = blocks.size() / classes;
    std::int64_t pass = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t b = 0; b < class_blocks; ++b) {
        // Blocks of a class follow each other; those of one phase (dgrad) are those of one set.
        const StreamSet* set = set_of(b % blocks.pattern().size());
        if (set == nullptr) continue;
        const std::int64_t first =
            set->first_number + static_cast<std::int64_t>(c) * set->class_numbers;
        const std::int64_t outer = (set->other_streams - 1) / config_.columns + 1;
        for (std::int64_t i = 0; i < outer; ++i) {
          for (std::int64_t j = 0; j < set->groups; ++j) visit(pass++, first + j);
        }
      }
    }
  }

  /// The set of a block of the pattern, or null if it has no rows.
  const StreamSet* set_of(std::size_t in_pattern) const {
    if (mapping_.op() == Op::wgrad) in_pattern = 0;
    for (const StreamSet& set : sets_.sets) {
      if (set.first_block == in_pattern) return &set;
    }
    return nullptr;
  }

  const Config& config_;
  const OperandSource& source_;
  const LayerInfo& layer_;
  Mapping mapping_;
  Which scheduled_;
  StreamSets sets_;
  std::optional<StreamOrder> order_;
  std::vector<LaneCounts> lanes_;     ///< [set]
  std::vector<std::int64_t> cycles_;  ///< [set]: of its groups
  std::vector<bool> chosen_;          ///< [number]: asked for; empty: all are
};

}  // namespace

OpCycles OpSimulator::run(const OperandSource& source, const LayerInfo& layer, Op op,
                          Which scheduled, bool dense, Dealing dealing) const {
  dense = dense || config_.is_dense();
  if (dense || config_.scheduling == Scheduling::two_sided) dealing = Dealing::natural;
  OpRun run(config_, source, layer, op, scheduled, dealing);
  OpCycles result;
  result.scheduled = scheduled;
  result.dealing = dealing;
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
                                                   const LayerInfo& layer, Op op, Which scheduled,
                                                   const std::vector<std::int64_t>& numbers,
                                                   Dealing dealing) const {
  OpRun run(config_, source, layer, op, scheduled, dealing);
  OpCycles counts;
  run.count_passes(1, counts);
  std::vector<std::int64_t> all(static_cast<std::size_t>(counts.passes));
  run.restrict_to(numbers);
  run.schedule(config_.is_dense(),
               [&](std::int64_t first, std::int64_t count, std::int64_t cycles) {
                 for (std::int64_t i = first; i < first + count; ++i) {
                   all[static_cast<std::size_t>(i)] += cycles;
                 }
               });
  std::vector<std::int64_t> result;
  for (const std::int64_t number : numbers) result.push_back(all[static_cast<std::size_t>(number)]);
  return result;
}

std::vector<std::int64_t> OpSimulator::pass_cycles(const OperandSource& source,
                                                   const LayerInfo& layer, Op op, Which scheduled,
                                                   Dealing dealing) const {
  OpCycles counts;
  OpRun(config_, source, layer, op, scheduled, Dealing::natural).count_passes(1, counts);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(counts.passes));
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  return pass_cycles(source, layer, op, scheduled, numbers, dealing);
}

}  // namespace td::sim
