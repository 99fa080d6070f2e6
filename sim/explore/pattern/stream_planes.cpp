// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/pattern/stream_planes.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "sim/cycles/batch_scheduler.hpp"
#include "sim/cycles/mask_table.hpp"

namespace td::sim {
namespace {

constexpr std::size_t kLineWords = 8;  ///< that a kernel's vectors are aligned to

/// The first aligned word of a vector that has kLineWords to spare.
std::uint64_t* aligned(std::vector<std::uint64_t>& words) {
  const auto address = reinterpret_cast<std::uintptr_t>(words.data());
  return words.data() + (64 - address % 64) % 64 / sizeof(std::uint64_t);
}

}  // namespace

/// Chooses the sample and fills the planes. `Mask` as in StreamMasks.
template <class Mask>
class PlaneBuilder {
 public:
  PlaneBuilder(const Config& shape, const std::vector<ScoredOp>& ops, Dealing dealing,
               std::int64_t most_groups, StreamPlanes& planes)
      : shape_(shape), two_sided_(shape.scheduling == Scheduling::two_sided), planes_(planes) {
    for (const ScoredOp& op : ops) {
      streams_.push_back(std::make_unique<Streams>(shape, op, dealing));
      sample(streams_.size() - 1, most_groups);
    }
    lay_out();
    fill();
  }

 private:
  /// An operation's scheduled streams, and the others where scheduling is two-sided.
  struct Streams {
    Streams(const Config& shape, const ScoredOp& op, Dealing dealing)
        : scheduled(op.scheduled),
          mapping(op.layer, op.op, shape.lanes),
          sets(stream_sets(mapping, op.scheduled, shape)),
          masks(
              make_stream_masks<Mask>({op.source, op.layer, mapping, op.scheduled, shape.format})) {
      if (shape.scheduling == Scheduling::two_sided) {
        const Which other = op.scheduled == Which::first ? Which::second : Which::first;
        others = make_stream_masks<Mask>({op.source, op.layer, mapping, other, shape.format});
      } else if (dealing != Dealing::natural) {
        order.emplace(shape, op.source, op.layer, mapping, sets, op.scheduled, dealing);
      }
    }

    /// Images whose tables a group may need: from a multiple of so many on.
    std::int64_t together() const { return order ? order->pool_images() : 1; }

    std::int64_t images() const {
      return std::max(masks->images(), others ? others->images() : std::int64_t{1});
    }

    Which scheduled;
    Mapping mapping;
    StreamSets sets;
    std::unique_ptr<StreamMasks<Mask>> masks;
    std::unique_ptr<StreamMasks<Mask>> others;
    std::optional<StreamOrder> order;
  };

  /// A group of the sample: where its streams are.
  struct Group {
    StreamPlanes::Unit unit;
    const StreamSet* set;
    StreamPart part;
    std::int64_t number;  ///< within its class
  };

  /// Every so many-th group of the operation.
  void sample(std::size_t op, std::int64_t most_groups) {
    const Streams& streams = *streams_[op];
    std::vector<std::pair<const StreamSet*, StreamPart>> parts;
    std::int64_t all = 0;
    for (const StreamSet& set : streams.sets.sets) {
      for (const StreamPart& part :
           stream_parts(streams.sets, set, streams.mapping, 0, streams.images())) {
        parts.emplace_back(&set, part);
        all += set.groups;
      }
    }
    const std::int64_t chosen = std::min(all, most_groups);
    std::int64_t index = 0;
    for (const auto& [set, part] : parts) {
      const Block block = streams.mapping.blocks()[set->first_block];
      const std::int64_t passes = set->shared * ceil_div(set->other_streams, shape_.columns);
      for (std::int64_t g = 0; g < set->groups; ++g, ++index) {
        if ((index + 1) * chosen / all == index * chosen / all) continue;
        groups_.push_back({{op, passes, block.segment_rows}, set, part, g});
      }
    }
  }

  /// Groups with streams of like length share a batch.
  void lay_out() {
    std::stable_sort(groups_.begin(), groups_.end(),
                     [](const Group& x, const Group& y) { return x.unit.rows > y.unit.rows; });
    const auto width = static_cast<std::size_t>(planes_.kernel_.width);
    const std::size_t plane = width / 64;
    std::size_t words = 0;
    for (std::size_t first = 0; first < groups_.size(); first += width) {
      const std::int64_t rows = groups_[first].unit.rows;
      const auto count = static_cast<std::size_t>(rows) * plane;
      const auto lanes = static_cast<std::size_t>(shape_.rows * shape_.lanes);
      planes_.batches_.push_back({rows, words, words + count * lanes});
      words += count * (lanes + 1);
    }
    for (const Group& group : groups_) planes_.units_.push_back(group.unit);
    planes_.storage_.resize(words + kLineWords);
    words_ = aligned(planes_.storage_);
    planes_.words_ = words_;
  }

  /// The first of the images whose tables the group may need.
  std::int64_t first_image(const Group& group) const {
    const std::int64_t together = streams_[group.unit.op]->together();
    return group.part.image / together * together;
  }

  /// Operation by operation, and there images by images that are dealt together.
  void fill() {
    std::vector<std::size_t> order(groups_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [this](std::size_t index) {
      return std::make_pair(groups_[index].unit.op, first_image(groups_[index]));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return key(x) < key(y); });
    for (auto first = order.begin(); first != order.end();) {
      const auto found = key(*first);
      const auto last =
          std::find_if(first, order.end(), [&](std::size_t index) { return key(index) != found; });
      fill_images(*streams_[found.first], found.second, {first, last});
      first = last;
    }
  }

  void fill_images(const Streams& streams, std::int64_t begin,
                   const std::vector<std::size_t>& indices) {
    const std::int64_t end = std::min(begin + streams.together(), streams.images());
    const MaskTable<Mask> table(*streams.masks, begin, end);
    std::optional<MaskTable<Mask>> others;
    if (two_sided_) others.emplace(*streams.others, begin, end);
    const StreamSet* set = nullptr;
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> other_offsets;
    for (const std::size_t index : indices) {
      const Group& group = groups_[index];
      if (group.set != set) {
        set = group.set;
        const Block block = streams.mapping.blocks()[set->first_block];
        offsets = streams.masks->offsets(block);
        if (two_sided_) other_offsets = streams.others->offsets(block);
      }
      if (two_sided_) {
        fill_pair(streams, index, {table, offsets}, {*others, other_offsets});
      } else {
        fill_group(streams, index, {table, offsets});
      }
    }
  }

  /// Where the rows of streams are read.
  struct Rows {
    const MaskTable<Mask>& table;
    const std::vector<std::uint32_t>& offsets;

    std::uint32_t base(const Block& block, std::int64_t image, std::int64_t stream) const {
      std::uint32_t base = 0;
      table.bases(block, image, stream, 1, &base);
      return base;
    }
    Mask mask(std::uint32_t base, std::size_t t) const { return table.data()[base + offsets[t]]; }
  };

  void fill_group(const Streams& streams, std::size_t index, const Rows& rows) {
    const Group& group = groups_[index];
    const std::int64_t first = group.number * shape_.rows;
    const std::int64_t count = std::min<std::int64_t>(shape_.rows, group.set->streams - first);
    for (std::int64_t r = 0; r < count; ++r) {
      DealtStream dealt{group.part, first + r};
      if (streams.order) dealt = streams.order->at(streams.sets, *group.set, group.part, first + r);
      const Block block = streams.mapping.blocks()[group.set->block_of(dealt.part.stream_class)];
      const std::uint32_t base = rows.base(block, dealt.part.image, dealt.stream);
      for (std::size_t t = 0; t < rows.offsets.size(); ++t) {
        put(index, t, static_cast<std::size_t>(r), rows.mask(base, t));
      }
    }
  }

  /// A pass of a single PE: second streams are the inner loop.
  void fill_pair(const Streams& streams, std::size_t index, const Rows& rows, const Rows& others) {
    const Group& group = groups_[index];
    const Block block = streams.mapping.blocks()[group.set->block_of(group.part.stream_class)];
    const bool first = streams.scheduled == Which::first;
    const std::int64_t outer = group.number / block.second_streams;
    const std::int64_t inner = group.number % block.second_streams;
    const std::uint32_t base = rows.base(block, group.part.image, first ? outer : inner);
    const std::uint32_t other = others.base(block, group.part.image, first ? inner : outer);
    for (std::size_t t = 0; t < rows.offsets.size(); ++t) {
      put(index, t, 0, static_cast<Mask>(rows.mask(base, t) & others.mask(other, t)));
    }
  }

  /// Row t of a group's stream in tile row r.
  void put(std::size_t index, std::size_t t, std::size_t r, Mask mask) {
    const auto width = static_cast<std::size_t>(planes_.kernel_.width);
    const StreamPlanes::BatchLayout& batch = planes_.batches_[index / width];
    const std::size_t bit = index % width;
    const std::size_t plane = width / 64;
    const auto lanes = static_cast<std::size_t>(shape_.lanes);
    const std::uint64_t value = std::uint64_t{1} << bit % 64;
    words_[batch.alive + t * plane + bit / 64] |= value;
    const std::size_t row = (t * static_cast<std::size_t>(shape_.rows) + r) * lanes;
    for (std::uint64_t left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(__builtin_ctzll(left));
      words_[batch.planes + (row + lane) * plane + bit / 64] |= value;
    }
  }

  const Config& shape_;
  bool two_sided_;
  StreamPlanes& planes_;
  std::vector<std::unique_ptr<Streams>> streams_;  ///< [operation]
  std::vector<Group> groups_;
  std::uint64_t* words_ = nullptr;
};

StreamPlanes::StreamPlanes(const Config& shape, const std::vector<ScoredOp>& ops, Dealing dealing,
                           std::int64_t most_groups, const PlaneKernel& kernel)
    : kernel_(kernel), ops_(ops.size()) {
  if (shape.lanes <= 16) {
    PlaneBuilder<std::uint16_t>(shape, ops, dealing, most_groups, *this);
  } else if (shape.lanes <= 32) {
    PlaneBuilder<std::uint32_t>(shape, ops, dealing, most_groups, *this);
  } else {
    PlaneBuilder<std::uint64_t>(shape, ops, dealing, most_groups, *this);
  }
}

std::vector<SampledCycles> StreamPlanes::run(const Config& config) const {
  const BatchScheduler<std::uint64_t> scheduler(config, false);
  const BatchPlan plan = scheduler.plan();
  const auto width = static_cast<std::size_t>(kernel_.width);
  std::vector<std::uint64_t> scratch(
      static_cast<std::size_t>(group_window_words(plan, kernel_.width)) + kLineWords);
  std::vector<std::uint32_t> cycles(width);
  std::vector<SampledCycles> result(ops_);
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    const BatchLayout& batch = batches_[b];
    kernel_.run(plan, {words_ + batch.planes, words_ + batch.alive, batch.rows}, aligned(scratch),
                cycles.data());
    const std::size_t end = std::min(units_.size(), (b + 1) * width);
    for (std::size_t i = b * width; i < end; ++i) {
      const Unit& unit = units_[i];
      result[unit.op].dense += unit.passes * unit.rows;
      result[unit.op].taken += unit.passes * cycles[i % width];
    }
  }
  return result;
}

}  // namespace td::sim
