// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/stream_order.hpp"

#include <algorithm>
#include <numeric>

#include "gen/base/parallel.hpp"
#include "sim/cycles/mask_table.hpp"

namespace td::sim {
namespace {

/// Where along a stream its effectual elements lie: counts of so many equal parts.
constexpr std::int64_t kParts = 32;

/// Streams that are looked at for the next place of a tile: the densest that are left.
constexpr std::size_t kCandidates = 64;

using Profiles = std::vector<std::vector<std::int32_t>>;  ///< [set][class, stream, part]

/// Adds the counts of one image, which has part `image` of `images` of every stream, or all of it.
template <class Mask>
void add_image(const StreamMasks<Mask>& masks, const Mapping& mapping, const StreamSets& sets,
               std::int64_t image, Profiles& profiles) {
  const MaskTable<Mask> table(masks, image, image + 1);
  for (std::size_t s = 0; s < sets.sets.size(); ++s) {
    const StreamSet& set = sets.sets[s];
    const std::vector<std::uint32_t> offsets = masks.offsets(mapping.blocks()[set.first_block]);
    const auto rows = static_cast<std::int64_t>(offsets.size());
    const bool whole = sets.per_image || masks.images() == 1;
    const std::int64_t before = whole ? 0 : image * rows;
    const std::int64_t all = whole ? rows : masks.images() * rows;
    for (const StreamPart& part : stream_parts(sets, set, mapping, image, image + 1)) {
      const Block block = mapping.blocks()[set.block_of(part.stream_class)];
      parallel_for(set.streams, [&](std::int64_t stream) {
        std::uint32_t base = 0;
        table.bases(block, image, stream, 1, &base);
        std::int32_t* profile =
            profiles[s].data() + (part.stream_class * set.streams + stream) * kParts;
        for (std::int64_t t = 0; t < rows; ++t) {
          profile[(before + t) * kParts / all] +=
              __builtin_popcountll(table.data()[base + offsets[static_cast<std::size_t>(t)]]);
        }
      });
    }
  }
}

template <class Mask>
void add_images(const OperandSource& source, const LayerInfo& layer, const Mapping& mapping,
                const StreamSets& sets, Which scheduled, Format format, Profiles& profiles) {
  const auto masks = make_stream_masks<Mask>({source, layer, mapping, scheduled, format});
  const std::int64_t images = source.has_equal_slabs() ? 1 : masks->images();
  for (std::int64_t image = 0; image < images; ++image) {
    add_image(*masks, mapping, sets, image, profiles);
  }
}

/// Deals the streams of a class: the densest that is left opens a tile; the others are those that
/// leave its rows the least to wait for.
class Dealer {
 public:
  Dealer(const std::int32_t* profiles, std::int64_t streams, std::int64_t tile_rows)
      : profiles_(profiles), tile_rows_(tile_rows), left_(static_cast<std::size_t>(streams)) {
    std::vector<std::int64_t> density;
    for (std::int64_t i = 0; i < streams; ++i) {
      const std::int32_t* profile = profiles + i * kParts;
      density.push_back(std::accumulate(profile, profile + kParts, std::int64_t{0}));
    }
    std::iota(left_.begin(), left_.end(), 0U);
    std::stable_sort(left_.begin(), left_.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return density[x] > density[y]; });
  }

  void deal(std::uint32_t* order) {
    for (std::int64_t i = 0; !left_.empty(); ++i) {
      if (i % tile_rows_ == 0) std::fill(std::begin(most_), std::end(most_), 0);
      const std::size_t chosen = i % tile_rows_ == 0 ? 0 : least_wait();
      *order++ = left_[chosen];
      const std::int32_t* profile = profiles_ + std::int64_t{left_[chosen]} * kParts;
      for (std::int64_t p = 0; p < kParts; ++p) most_[p] = std::max(most_[p], profile[p]);
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
  }

 private:
  /// What a stream adds to the time of all rows, less what of it the stream itself uses.
  std::int64_t wait(std::uint32_t stream) const {
    const std::int32_t* profile = profiles_ + std::int64_t{stream} * kParts;
    std::int64_t wait = 0;
    for (std::int64_t p = 0; p < kParts; ++p) {
      wait += tile_rows_ * std::max(0, profile[p] - most_[p]) - profile[p];
    }
    return wait;
  }

  std::size_t least_wait() const {
    std::size_t best = 0;
    std::int64_t least = wait(left_[0]);
    for (std::size_t i = 1; i < std::min(kCandidates, left_.size()); ++i) {
      const std::int64_t one = wait(left_[i]);
      if (one >= least) continue;
      best = i;
      least = one;
    }
    return best;
  }

  const std::int32_t* profiles_;
  std::int64_t tile_rows_;
  std::vector<std::uint32_t> left_;  ///< the densest first
  std::int32_t most_[kParts] = {};   ///< of the streams in the tile
};

}  // namespace

StreamOrder::StreamOrder(const OperandSource& source, const LayerInfo& layer,
                         const Mapping& mapping, const StreamSets& sets, Which scheduled,
                         Format format, int tile_rows) {
  Profiles profiles;
  for (const StreamSet& set : sets.sets) {
    profiles.emplace_back(static_cast<std::size_t>(set.classes * set.streams * kParts));
    orders_.emplace_back(static_cast<std::size_t>(set.classes * set.streams));
  }
  if (mapping.lanes() <= 16) {
    add_images<std::uint16_t>(source, layer, mapping, sets, scheduled, format, profiles);
  } else if (mapping.lanes() <= 32) {
    add_images<std::uint32_t>(source, layer, mapping, sets, scheduled, format, profiles);
  } else {
    add_images<std::uint64_t>(source, layer, mapping, sets, scheduled, format, profiles);
  }
  for (std::size_t s = 0; s < profiles.size(); ++s) {
    const std::int64_t streams = sets.sets[s].streams;
    parallel_for(sets.sets[s].classes, [&](std::int64_t stream_class) {
      Dealer(profiles[s].data() + stream_class * streams * kParts, streams, tile_rows)
          .deal(orders_[s].data() + stream_class * streams);
    });
  }
}

}  // namespace td::sim
