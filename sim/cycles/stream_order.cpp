// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/stream_order.hpp"

#include <algorithm>
#include <numeric>

#include "gen/base/parallel.hpp"
#include "sim/cycles/mask_table.hpp"

namespace td::sim {
namespace {

/// Where along a stream its effectual elements lie: counts of so many equal parts. More say less of
/// the time that a tile takes, since a schedule moves pairs from row to row.
constexpr std::int64_t kParts = 8;

/// Streams that are looked at for the next place of a tile: the densest that are left.
constexpr std::size_t kCandidates = 64;

/// Tiles are compared with so many of the next sparser ones, so many times.
constexpr std::size_t kReach = 16;
constexpr int kRounds = 2;

/// Of the images of a pool, in memory at once.
constexpr std::int64_t kPoolMasks = 1 << 25;

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

/// Fills in the profiles, and returns the masks of one image.
template <class Mask>
std::int64_t add_images(const StreamOperand& operand, const StreamSets& sets, Profiles& profiles) {
  const auto masks = make_stream_masks<Mask>(operand);
  const std::int64_t images = operand.source.has_equal_slabs() ? 1 : masks->images();
  for (std::int64_t image = 0; image < images; ++image) {
    add_image(*masks, operand.mapping, sets, image, profiles);
  }
  return masks->image_masks();
}

std::int64_t add_images(const StreamOperand& operand, const StreamSets& sets, Profiles& profiles) {
  const int lanes = operand.mapping.lanes();
  if (lanes <= 16) return add_images<std::uint16_t>(operand, sets, profiles);
  if (lanes <= 32) return add_images<std::uint32_t>(operand, sets, profiles);
  return add_images<std::uint64_t>(operand, sets, profiles);
}

/// The densest stream that is left opens a tile; the others are those that leave its rows the least
/// to wait for.
class Dealer {
 public:
  Dealer(const std::int32_t* profiles, std::int64_t streams)
      : profiles_(profiles), left_(static_cast<std::size_t>(streams)) {
    std::vector<std::int64_t> density;
    for (std::int64_t i = 0; i < streams; ++i) {
      const std::int32_t* profile = profiles + i * kParts;
      density.push_back(std::accumulate(profile, profile + kParts, std::int64_t{0}));
    }
    std::iota(left_.begin(), left_.end(), 0U);
    std::stable_sort(left_.begin(), left_.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return density[x] > density[y]; });
  }

  /// Takes a stream for each of `rows` places.
  void deal(std::int64_t rows, std::uint32_t* places) {
    std::fill(std::begin(most_), std::end(most_), 0);
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::size_t chosen = row == 0 ? 0 : least_wait(rows);
      *places++ = left_[chosen];
      const std::int32_t* profile = profiles_ + std::int64_t{left_[chosen]} * kParts;
      for (std::int64_t p = 0; p < kParts; ++p) most_[p] = std::max(most_[p], profile[p]);
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
  }

 private:
  /// What a stream adds to the time of all rows, less what of it the stream itself uses.
  std::int64_t wait(std::uint32_t stream, std::int64_t rows) const {
    const std::int32_t* profile = profiles_ + std::int64_t{stream} * kParts;
    std::int64_t wait = 0;
    for (std::int64_t p = 0; p < kParts; ++p) {
      wait += rows * std::max(0, profile[p] - most_[p]) - profile[p];
    }
    return wait;
  }

  std::size_t least_wait(std::int64_t rows) const {
    std::size_t best = 0;
    std::int64_t least = wait(left_[0], rows);
    for (std::size_t i = 1; i < std::min(kCandidates, left_.size()); ++i) {
      const std::int64_t one = wait(left_[i], rows);
      if (one >= least) continue;
      best = i;
      least = one;
    }
    return best;
  }

  const std::int32_t* profiles_;
  std::vector<std::uint32_t> left_;  ///< the densest first
  std::int32_t most_[kParts] = {};   ///< of the streams in the tile
};

/// Exchanges streams of two tiles where both together then take less time.
class Exchange {
 public:
  /// `places`: the stream at each place; tile t has those from tiles[t] to tiles[t + 1].
  Exchange(const std::int32_t* profiles, const std::vector<std::size_t>& tiles,
           std::vector<std::uint32_t>& places)
      : profiles_(profiles), tiles_(tiles), places_(places) {}

  void run() {
    const std::size_t count = tiles_.size() - 1;
    for (std::size_t x = 0; x < count; ++x) {
      for (std::size_t y = x + 1; y < std::min(count, x + 1 + kReach); ++y) exchange(x, y);
    }
  }

 private:
  const std::int32_t* profile(std::size_t place) const {
    return profiles_ + std::int64_t{places_[place]} * kParts;
  }

  /// Of a tile in which the stream of `other` has the place of `place`: a part ends with its
  /// densest stream.
  std::int32_t time(std::size_t tile, std::size_t place, std::size_t other) const {
    std::int32_t most[kParts];
    std::copy_n(profile(other), kParts, most);
    for (std::size_t one = tiles_[tile]; one < tiles_[tile + 1]; ++one) {
      if (one == place) continue;
      for (std::int64_t p = 0; p < kParts; ++p) most[p] = std::max(most[p], profile(one)[p]);
    }
    return std::accumulate(most, most + kParts, 0);
  }

  /// The best exchange of one stream of each, if any is better than none.
  void exchange(std::size_t x, std::size_t y) {
    std::size_t from = tiles_[x];
    std::size_t to = from;
    std::int32_t least = time(x, from, from) + time(y, tiles_[y], tiles_[y]);
    for (std::size_t i = tiles_[x]; i < tiles_[x + 1]; ++i) {
      for (std::size_t j = tiles_[y]; j < tiles_[y + 1]; ++j) {
        const std::int32_t both = time(x, i, j) + time(y, j, i);
        if (both >= least) continue;
        from = i;
        to = j;
        least = both;
      }
    }
    std::swap(places_[from], places_[to]);
  }

  const std::int32_t* profiles_;
  const std::vector<std::size_t>& tiles_;
  std::vector<std::uint32_t>& places_;
};

/// Deals a pool: `classes` of `streams` streams each. Tiles that are full come first, so that what
/// is left for the last tiles of classes is sparse.
std::vector<std::uint32_t> deal_pool(const std::int32_t* profiles, std::int64_t classes,
                                     std::int64_t streams, std::int64_t tile_rows) {
  std::vector<std::uint32_t> places(static_cast<std::size_t>(classes * streams));
  Dealer dealer(profiles, classes * streams);
  const std::int64_t full = streams / tile_rows * tile_rows;
  for (std::int64_t c = 0; c < classes; ++c) {
    for (std::int64_t place = 0; place < full; place += tile_rows) {
      dealer.deal(tile_rows, places.data() + c * streams + place);
    }
  }
  for (std::int64_t c = 0; c < classes && full < streams; ++c) {
    dealer.deal(streams - full, places.data() + c * streams + full);
  }
  std::vector<std::size_t> tiles;
  for (std::int64_t c = 0; c < classes; ++c) {
    for (std::int64_t place = 0; place < streams; place += tile_rows) {
      tiles.push_back(static_cast<std::size_t>(c * streams + place));
    }
  }
  tiles.push_back(places.size());
  for (int round = 0; round < kRounds; ++round) Exchange(profiles, tiles, places).run();
  return places;
}

/// Classes of a pool: as many as have kPoolStreams together, of the `alike` that meet the same
/// other streams; images, only as many as can be in memory at once.
std::int64_t pool_size(const OperandSource& source, const StreamSets& sets, std::int64_t alike,
                       std::int64_t image_masks) {
  std::int64_t streams = 1;
  for (const StreamSet& set : sets.sets) streams = std::max(streams, set.streams);
  std::int64_t most = StreamOrder::kPoolStreams / streams;
  if (sets.per_image) {
    most = source.has_equal_slabs()
               ? 1
               : std::min(most, kPoolMasks / std::max<std::int64_t>(image_masks, 1));
  }
  return std::clamp<std::int64_t>(most, 1, alike);
}

}  // namespace

StreamOrder::StreamOrder(const OperandSource& source, const LayerInfo& layer,
                         const Mapping& mapping, const StreamSets& sets, Which scheduled,
                         Format format, int tile_rows)
    : class_images_(sets.per_image ? mapping.blocks().images() : 0) {
  if (sets.sets.empty()) return;
  Profiles profiles;
  for (const StreamSet& set : sets.sets) {
    profiles.emplace_back(static_cast<std::size_t>(set.classes * set.streams * kParts));
    orders_.emplace_back(static_cast<std::size_t>(set.classes * set.streams));
  }
  const std::int64_t image_masks =
      add_images({source, layer, mapping, scheduled, format}, sets, profiles);
  const std::int64_t groups = mapping.blocks().groups();
  const std::int64_t alike = sets.sets.front().classes / groups;
  pool_classes_ = pool_size(source, sets, alike, image_masks);
  const std::int64_t pools = ceil_div(alike, pool_classes_);
  for (std::size_t s = 0; s < profiles.size(); ++s) {
    const std::int64_t streams = sets.sets[s].streams;
    parallel_for(groups * pools, [&](std::int64_t pool) {
      const std::int64_t begin = pool % pools * pool_classes_;
      const std::int64_t first = (pool / pools * alike + begin) * streams;
      std::int64_t* order = orders_[s].data() + first;
      for (const std::uint32_t stream :
           deal_pool(profiles[s].data() + first * kParts, std::min(pool_classes_, alike - begin),
                     streams, tile_rows)) {
        *order++ = first + stream;
      }
    });
  }
}

}  // namespace td::sim
