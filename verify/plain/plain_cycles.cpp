// SPDX-License-Identifier: Apache-2.0
#include "verify/plain/plain_cycles.hpp"

#include <algorithm>

#include "sim/mapping/mapping.hpp"
#include "sim/model/scheduler.hpp"
#include "sim/trace/trace_tensor.hpp"

namespace td::verify {
namespace {

using sim::Block;
using sim::LaneMask;
using sim::Mapping;
using sim::Which;
using Stream = std::vector<LaneMask>;  ///< a mask of non-zero operands for every row

class PlainModel {
 public:
  PlainModel(const Config& config, const Mapping& mapping, bool dense)
      : config_(config),
        mapping_(mapping),
        scheduler_(config),
        dense_(dense || config.is_dense()) {}

  Stream stream(const Block& block, Which which, std::int64_t number,
                const std::vector<bool>& nonzero) const {
    const auto lanes = static_cast<std::size_t>(config_.lanes);
    std::vector<std::int64_t> indices(static_cast<std::size_t>(block.rows()) * lanes);
    mapping_.gather_indices(block, which, number, indices.data());
    Stream result(static_cast<std::size_t>(block.rows()));
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] >= 0 && nonzero[static_cast<std::size_t>(indices[i])]) {
        result[i / lanes] |= LaneMask{1} << i % lanes;
      }
    }
    return result;
  }

  /// Lanes that only fill up rows. Second operands have no padding that could be taken for it.
  Stream filling(const Block& block) const {
    const auto lanes = static_cast<std::size_t>(config_.lanes);
    std::vector<std::int64_t> indices(static_cast<std::size_t>(block.rows()) * lanes);
    mapping_.gather_indices(block, Which::second, 0, indices.data());
    Stream result(static_cast<std::size_t>(block.rows()));
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 0) result[i / lanes] |= LaneMask{1} << i % lanes;
    }
    return result;
  }

  /// Schedules the streams of the tile rows in lock-step; adds to the parts of `idle` and to
  /// `effectual`, per column. Returns the cycles.
  std::int64_t schedule(const Block& block, std::vector<Stream> rows, const Stream& filling,
                        sim::MultiplierCycles& parts) const {
    std::int64_t cycles = 0;
    for (std::int64_t segment = 0; segment < block.segments; ++segment) {
      const std::int64_t begin = segment * block.segment_rows;
      const std::int64_t end = begin + block.segment_rows;
      std::vector<int> waited(rows.size(), 0);  // advance that a row had to give up, just before
      for (std::int64_t t = begin; t < end; ++cycles) {
        std::vector<int> advances;
        for (std::size_t r = 0; r < rows.size(); ++r) {
          advances.push_back(step(rows[r], filling, t, end, waited[r] > 0, parts));
        }
        const int advance = *std::min_element(advances.begin(), advances.end());
        for (std::size_t r = 0; r < rows.size(); ++r) waited[r] = advances[r] - advance;
        t += advance;
      }
    }
    return cycles;
  }

 private:
  /// One tile row in one cycle. Returns the advance it could make, 1…depth.
  int step(Stream& row, const Stream& filling, std::int64_t t, std::int64_t end, bool waited,
           sim::MultiplierCycles& parts) const {
    const int depth = dense_ ? 1 : config_.depth;
    LaneMask window[sim::kMaximumDepth] = {};
    const auto first = row.begin() + t;
    const auto visible = std::min<std::int64_t>(depth, end - t);
    std::copy_n(first, visible, window);
    LaneMask taken = window[0];
    if (dense_) {
      window[0] = 0;
    } else {
      sim::Choice choice;
      scheduler_.choose(window, choice);
      taken = 0;
      for (std::size_t p = 0; p < config_.options.size(); ++p) taken |= choice.lanes[p];
    }
    std::copy_n(window, visible, first);
    int advance = 0;
    while (advance < depth && window[advance] == 0) ++advance;
    const bool left = advance < visible;
    for (int lane = 0; lane < config_.lanes; ++lane) {
      if ((taken >> lane & 1) != 0) {
        ++parts.effectual;
      } else if ((filling[static_cast<std::size_t>(t)] >> lane & 1) != 0) {
        ++parts.channel_padding;
      } else if (left) {
        ++parts.lane_conflicts;
      } else if (visible < depth) {
        ++parts.stream_tail;
      } else if (waited) {
        ++parts.row_imbalance;
      } else {
        ++(dense_ ? parts.ineffectual : parts.depth_limit);
      }
    }
    return advance;
  }

  const Config& config_;
  const Mapping& mapping_;
  sim::Scheduler scheduler_;
  bool dense_;
};

/// Adds `parts`, counted for one column, for all columns that a stream meets.
void add(sim::MultiplierCycles& sum, const sim::MultiplierCycles& parts, std::int64_t columns) {
  sum.effectual += parts.effectual * columns;
  sum.ineffectual += parts.ineffectual * columns;
  sum.channel_padding += parts.channel_padding * columns;
  sum.lane_conflicts += parts.lane_conflicts * columns;
  sum.stream_tail += parts.stream_tail * columns;
  sum.row_imbalance += parts.row_imbalance * columns;
  sum.depth_limit += parts.depth_limit * columns;
}

/// All passes of an operation, one after the other; a group is scheduled again only when another
/// one was in between.
class PlainRun {
 public:
  PlainRun(const Config& config, const Mapping& mapping, Which scheduled, bool dense,
           const std::vector<bool>& first, const std::vector<bool>& second)
      : config_(config),
        mapping_(mapping),
        scheduled_(scheduled),
        model_(config, mapping, dense),
        nonzero_{&first, &second} {}

  void run(PlainCycles& result) {
    for (const Block& block : mapping_.blocks()) {
      if (block.rows() == 0) continue;
      if (config_.scheduling == Scheduling::two_sided) {
        run_pairs(block, result);
      } else {
        run_groups(block, result);
      }
    }
  }

 private:
  const std::vector<bool>& nonzero(Which which) const {
    return *nonzero_[which == Which::first ? 0 : 1];
  }

  void run_pairs(const Block& block, PlainCycles& result) {
    const Stream filling = model_.filling(block);
    std::vector<Stream> seconds;
    for (std::int64_t s = 0; s < block.second_streams; ++s) {
      seconds.push_back(model_.stream(block, Which::second, s, nonzero(Which::second)));
    }
    for (std::int64_t f = 0; f < block.first_streams; ++f) {
      const Stream first = model_.stream(block, Which::first, f, nonzero(Which::first));
      for (Stream pair : seconds) {
        for (std::size_t t = 0; t < pair.size(); ++t) pair[t] &= first[t];
        result.pass_cycles.push_back(
            model_.schedule(block, {pair}, filling, result.cycles.multipliers));
        result.scheduled_rows += block.rows();
      }
    }
  }

  void run_groups(const Block& block, PlainCycles& result) {
    const Stream filling = model_.filling(block);
    const bool first_is_scheduled = scheduled_ == Which::first;
    const std::int64_t streams = first_is_scheduled ? block.first_streams : block.second_streams;
    const std::int64_t others = first_is_scheduled ? block.second_streams : block.first_streams;
    std::vector<std::int64_t> cycles;
    for (std::int64_t begin = 0; begin < streams; begin += config_.rows) {
      std::vector<Stream> rows;
      for (std::int64_t s = begin; s < std::min(begin + config_.rows, streams); ++s) {
        rows.push_back(model_.stream(block, scheduled_, s, nonzero(scheduled_)));
      }
      result.scheduled_rows += static_cast<std::int64_t>(rows.size()) * block.rows();
      sim::MultiplierCycles parts;
      cycles.push_back(model_.schedule(block, std::move(rows), filling, parts));
      add(result.cycles.multipliers, parts, others);
    }
    const std::int64_t passes = sim::passes(block, config_.rows, config_.columns, scheduled_);
    for (std::int64_t i = 0; i < passes; ++i) {
      const sim::Pass pass = sim::pass(block, config_.rows, config_.columns, scheduled_, i);
      const std::int64_t begin = first_is_scheduled ? pass.first_begin : pass.second_begin;
      result.pass_cycles.push_back(cycles[static_cast<std::size_t>(begin / config_.rows)]);
    }
  }

  const Config& config_;
  const Mapping& mapping_;
  Which scheduled_;
  PlainModel model_;
  const std::vector<bool>* nonzero_[2];
};

/// Deals the passes to the tiles, one by one.
void split(const Config& config, const Mapping& mapping, int tiles, PlainCycles& result) {
  std::vector<std::int64_t> cycles(static_cast<std::size_t>(tiles));
  std::vector<std::int64_t> dense(static_cast<std::size_t>(tiles));
  std::size_t number = 0;
  for (const Block& block : mapping.blocks()) {
    if (block.rows() == 0) continue;
    const std::int64_t passes =
        sim::passes(block, config.rows, config.columns, result.cycles.scheduled);
    for (std::int64_t i = 0; i < passes; ++i, ++number) {
      const sim::Pass pass =
          sim::pass(block, config.rows, config.columns, result.cycles.scheduled, i);
      const std::int64_t absent =
          config.rows * config.columns - pass.first_count * pass.second_count;
      result.cycles.multipliers.array_edge += result.pass_cycles[number] * absent * config.lanes;
      const std::size_t tile = number % cycles.size();
      cycles[tile] += result.pass_cycles[number];
      dense[tile] += block.rows();
      result.cycles.rows += block.rows();
    }
  }
  result.cycles.passes = static_cast<std::int64_t>(number);
  result.cycles.cycles = *std::max_element(cycles.begin(), cycles.end());
  result.cycles.dense_cycles = *std::max_element(dense.begin(), dense.end());
  for (std::int64_t tile : cycles) result.cycles.tile_cycles += tile;
}

}  // namespace

std::vector<bool> plain_nonzero(const sim::OperandSource& source, const sim::LayerInfo& layer,
                                sim::Operand operand, Format format) {
  const sim::Shape& shape = layer.shape(operand);
  sim::TensorView slab;
  slab.dtype = source.dtype(layer, operand);
  slab.count = sim::count(shape) / shape[0];
  std::vector<bool> result;
  sim::SlabBuffer buffer;
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    slab.data = source.slab(layer, operand, n, buffer);
    const std::uint32_t magnitude = (std::uint32_t{1} << (width(format) - 1)) - 1;
    for (std::uint32_t bits : load_bits(slab, format)) result.push_back((bits & magnitude) != 0);
  }
  return result;
}

PlainCycles plain_cycles(const Config& config, int tiles, const sim::OperandSource& source,
                         const sim::LayerInfo& layer, sim::Op op, sim::Which scheduled,
                         bool dense) {
  const Mapping mapping(layer, op, config.lanes);
  const auto first = plain_nonzero(source, layer, mapping.first(), config.format);
  const auto second = plain_nonzero(source, layer, mapping.second(), config.format);
  PlainCycles result;
  result.cycles.scheduled = scheduled;
  PlainRun(config, mapping, scheduled, dense, first, second).run(result);
  split(config, mapping, tiles, result);
  result.cycles.multipliers.tile_imbalance =
      (result.cycles.cycles * tiles - result.cycles.tile_cycles) * config.rows * config.columns *
      config.lanes;
  return result;
}

}  // namespace td::verify
