// SPDX-License-Identifier: Apache-2.0
// Runs are scheduled by the batch kernel, as streams of a tile with one row.
#include "sim/storage/stored_size.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "base/support/parallel.hpp"
#include "sim/cycles/batch_scheduler.hpp"
#include "sim/masks/nonzero.hpp"

namespace td::sim {

namespace {

/// Masks that are looked at together, so that they stay in a core's cache.
constexpr std::int64_t kTableBytes = 1 << 19;

std::int64_t positions_of(const Shape& shape) {
  return shape.size() == 4 ? shape[2] * shape[3] : 1;
}

Config one_tile_row(Config config) {
  config.rows = 1;
  return config;
}

/// Bits that tell `count` things apart.
int bits_for(std::size_t count) {
  int bits = 0;
  while (std::size_t{1} << bits < count) ++bits;
  return bits;
}

/// Of a row: a value and an option for each lane, and how far the window moves.
int scheduled_bits(const Config& config) {
  return config.lanes * (stored_width(config.format) + bits_for(config.options.size())) +
         bits_for(static_cast<std::size_t>(config.depth));
}

/// By position: how many windows of a block look at it, along one dimension.
std::vector<std::int64_t> looks(const Mapping::Axis& axis) {
  std::vector<std::int64_t> looks(static_cast<std::size_t>(axis.extent), 0);
  for (const Mapping::Tap& tap : axis.taps) {
    for (std::int64_t window = 0; window < axis.windows; ++window) {
      const std::int64_t position = window * axis.step + tap.offset;
      if (position >= 0 && position < axis.extent) ++looks[static_cast<std::size_t>(position)];
    }
  }
  return looks;
}

/// [block of the pattern][position of a slab]: streams that read the run.
std::vector<std::vector<std::int64_t>> uses(const LayerInfo& layer, Operand operand,
                                            const Mapping& mapping) {
  std::vector<std::vector<std::int64_t>> uses;
  for (const Block& block : mapping.blocks().pattern()) {
    // A filter is read by its own stream; of a linear layer, so is a sample.
    std::vector<std::int64_t> one(static_cast<std::size_t>(positions_of(layer.shape(operand))), 1);
    if (operand != Operand::W && layer.type == LayerType::conv2d) {
      const std::vector<std::int64_t> down = looks(mapping.axis(block, 0));
      const std::vector<std::int64_t> across = looks(mapping.axis(block, 1));
      for (std::size_t i = 0; i < one.size(); ++i) {
        one[i] = down[i / across.size()] * across[i % across.size()];
      }
    }
    uses.push_back(std::move(one));
  }
  return uses;
}

template <class Mask>
class Counter {
 public:
  Counter(const Config& config, const OperandSource& source, const LayerInfo& layer, Op op,
          Operand operand)
      : source_(source),
        layer_(layer),
        operand_(operand),
        format_(config.format),
        lanes_(config.lanes),
        positions_(positions_of(layer.shape(operand))),
        groups_(operand == Operand::W ? 1 : layer.conv.groups),
        channels_(layer.shape(operand)[1] / groups_),
        rows_(ceil_div(channels_, config.lanes)),
        slab_masks_(groups_ * rows_ * positions_),
        uses_(uses(layer, operand, Mapping(layer, op, config.lanes))),
        scheduler_(one_tile_row(config), config.is_dense()),
        no_filling_(static_cast<std::size_t>(rows_), Mask{0}) {
    size_.plain_bits = lanes_ * stored_width(format_);
    size_.scheduled_bits = config.is_dense() ? size_.plain_bits : scheduled_bits(config);
    size_.streamed.resize(uses_.size());
  }

  StoredSize run() {
    const std::int64_t all = layer_.shape(operand_).front();
    const std::int64_t repeats = source_.has_equal_slabs() ? all : 1;
    const std::int64_t slabs = all / repeats;
    const std::int64_t bytes = slab_masks_ * static_cast<std::int64_t>(sizeof(Mask));
    const std::int64_t step = std::clamp<std::int64_t>(kTableBytes / bytes, 1, slabs);
    parallel_for(ceil_div(slabs, step), [&](std::int64_t part) {
      count_slabs(part * step, std::min(slabs, (part + 1) * step), repeats);
    });
    size_.runs = all * groups_ * positions_;
    return std::move(size_);
  }

 private:
  /// [slab][group][row][position]
  std::vector<Mask> load(std::int64_t begin, std::int64_t end) const {
    std::vector<Mask> table(static_cast<std::size_t>((end - begin) * slab_masks_), Mask{0});
    with_nonzero_test(source_.dtype(layer_, operand_), format_, [&](const auto& nonzero) {
      SlabBuffer buffer;
      Mask* masks = table.data();
      for (std::int64_t slab = begin; slab < end; ++slab) {
        const unsigned char* channel = source_.slab(layer_, operand_, slab, buffer);
        for (std::int64_t i = 0; i < groups_ * rows_; ++i, masks += positions_) {
          const auto used = static_cast<int>(std::min(lanes_, channels_ - i % rows_ * lanes_));
          if (positions_ == 1) *masks = nonzero.template gather<Mask>(channel, 1, used);
          for (int lane = 0; positions_ > 1 && lane < used; ++lane) {
            nonzero.add_bit(channel + lane * positions_ * nonzero.bytes(), positions_, lane, masks);
          }
          channel += used * positions_ * nonzero.bytes();
        }
      }
    });
    return table;
  }

  void count_slabs(std::int64_t begin, std::int64_t end, std::int64_t repeats) {
    const std::vector<Mask> table = load(begin, end);
    typename BatchScheduler<Mask>::Workspace workspace(scheduler_);
    Batch<Mask> batch;
    std::vector<std::uint32_t> offsets;
    for (std::int64_t t = 0; t < rows_; ++t) {
      offsets.push_back(static_cast<std::uint32_t>(t * positions_));
    }
    batch.table = table.data();
    batch.offsets = offsets.data();
    batch.filling = no_filling_.data();
    batch.rows = rows_;
    std::vector<RunRows> at(static_cast<std::size_t>(positions_));
    const std::int64_t runs = (end - begin) * groups_ * positions_;
    for (std::int64_t first = 0; first < runs; first += scheduler_.width()) {
      const std::int64_t count = std::min<std::int64_t>(scheduler_.width(), runs - first);
      std::fill_n(workspace.present, scheduler_.width(), Mask{0});
      std::fill(workspace.bases.begin(), workspace.bases.end(), 0);
      for (std::int64_t i = 0; i < count; ++i) {
        workspace.bases[static_cast<std::size_t>(i)] = base(first + i);
        workspace.present[i] = 1;
      }
      LaneCounts lanes;
      scheduler_.run(batch, workspace, lanes);
      for (std::int64_t i = 0; i < count; ++i) {
        const Mask* masks = table.data() + workspace.bases[static_cast<std::size_t>(i)];
        at[static_cast<std::size_t>((first + i) % positions_)].add(
            {rows_, workspace.cycles[static_cast<std::size_t>(i)], compressed_rows(masks)}, 1);
      }
    }
    take(at, repeats);
  }

  /// Where a run begins in a table.
  std::uint32_t base(std::int64_t run) const {
    return static_cast<std::uint32_t>(run / positions_ * rows_ * positions_ + run % positions_);
  }

  std::int64_t compressed_rows(const Mask* masks) const {
    std::int64_t nonzero = 0;
    for (std::int64_t t = 0; t < rows_; ++t) nonzero += __builtin_popcountll(masks[t * positions_]);
    return ceil_div(channels_ + nonzero * stored_width(format_), lanes_ * stored_width(format_));
  }

  /// Rows of the runs at each position.
  void take(const std::vector<RunRows>& at, std::int64_t repeats) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t i = 0; i < at.size(); ++i) {
      size_.stored.add(at[i], repeats);
      for (std::size_t block = 0; block < uses_.size(); ++block) {
        size_.streamed[block].add(at[i], repeats * uses_[block][i]);
      }
    }
  }

  const OperandSource& source_;
  const LayerInfo& layer_;
  Operand operand_;
  Format format_;
  std::int64_t lanes_;
  std::int64_t positions_;  ///< of a slab
  std::int64_t groups_;     ///< in a slab
  std::int64_t channels_;   ///< of a group
  std::int64_t rows_;       ///< of a run
  std::int64_t slab_masks_;
  std::vector<std::vector<std::int64_t>> uses_;
  BatchScheduler<Mask> scheduler_;
  std::vector<Mask> no_filling_;  ///< why lanes idle is not asked
  std::mutex mutex_;
  StoredSize size_;
};

}  // namespace

void RunRows::add(const RunRows& other, std::int64_t times) {
  plain += times * other.plain;
  scheduled += times * other.scheduled;
  zero_compressed += times * other.zero_compressed;
}

std::int64_t StoredSize::streamed_bits(Storage storage) const {
  RunRows all;
  for (const RunRows& rows : streamed) all.add(rows, 1);
  if (storage == Storage::scheduled) return all.scheduled * scheduled_bits;
  return plain_bits * (storage == Storage::plain ? all.plain : all.zero_compressed);
}

Storage StoredSize::best() const {
  return streamed_bits(Storage::scheduled) < streamed_bits(Storage::plain) ? Storage::scheduled
                                                                           : Storage::plain;
}

bool reads_runs(Op op, Operand operand) {
  // SRAM rows are channels of one position: other rows are turned, and no row of a run is one.
  return op != Op::wgrad && !(op == Op::dgrad && operand == Operand::W);
}

StoredSize stored_size(const Config& config, const OperandSource& source, const LayerInfo& layer,
                       Op op, Operand operand) {
  if (!reads_runs(op, operand)) {
    throw std::invalid_argument("stored_size: streams that do not read runs");
  }
  if (config.lanes <= 16) return Counter<std::uint16_t>(config, source, layer, op, operand).run();
  if (config.lanes <= 32) return Counter<std::uint32_t>(config, source, layer, op, operand).run();
  return Counter<std::uint64_t>(config, source, layer, op, operand).run();
}

}  // namespace td::sim
