// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/dealing/pool_dealer.hpp"

#include <algorithm>
#include <numeric>

namespace td::sim {
namespace {

/// Streams that are looked at for the next place of a tile: the densest that are left.
constexpr std::size_t kCandidates = 64;

/// Tiles are compared with so many of the next sparser ones, so many times.
constexpr std::size_t kReach = 16;
constexpr int kRounds = 2;

/// Each part of a tile ends with its densest stream.
void raise(StreamProfile& most, const StreamProfile& profile) {
  for (std::size_t p = 0; p < most.size(); ++p) most[p] = std::max(most[p], profile[p]);
}

/// The densest stream that is left opens a tile; the others are those that leave its rows the least
/// to wait for.
class Dealer {
 public:
  Dealer(const StreamProfile* profiles, std::int64_t streams)
      : profiles_(profiles), left_(static_cast<std::size_t>(streams)) {
    std::vector<std::int64_t> density;
    for (std::int64_t i = 0; i < streams; ++i) {
      density.push_back(std::accumulate(profiles[i].begin(), profiles[i].end(), std::int64_t{0}));
    }
    std::iota(left_.begin(), left_.end(), 0U);
    std::stable_sort(left_.begin(), left_.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return density[x] > density[y]; });
  }

  /// Takes a stream for each of `rows` places.
  void deal(std::int64_t rows, std::uint32_t* places) {
    most_.fill(0);
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::size_t chosen = row == 0 ? 0 : least_wait(rows);
      *places++ = left_[chosen];
      raise(most_, profiles_[left_[chosen]]);
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
  }

 private:
  /// What a stream adds to the time of all rows, less what of it the stream itself uses.
  std::int64_t wait(std::uint32_t stream, std::int64_t rows) const {
    const StreamProfile& profile = profiles_[stream];
    std::int64_t wait = 0;
    for (std::size_t p = 0; p < profile.size(); ++p) {
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

  const StreamProfile* profiles_;
  std::vector<std::uint32_t> left_;  ///< the densest first
  StreamProfile most_;               ///< of the streams in the tile
};

/// Exchanges streams of two tiles where both together then take less time.
class Exchange {
 public:
  /// `places`: the stream at each place; tile t has those from tiles[t] to tiles[t + 1].
  Exchange(const StreamProfile* profiles, const std::vector<std::size_t>& tiles,
           std::vector<std::uint32_t>& places)
      : profiles_(profiles), tiles_(tiles), places_(places) {}

  void run() {
    const std::size_t count = tiles_.size() - 1;
    for (std::size_t x = 0; x < count; ++x) {
      for (std::size_t y = x + 1; y < std::min(count, x + 1 + kReach); ++y) exchange(x, y);
    }
  }

 private:
  const StreamProfile& profile(std::size_t place) const { return profiles_[places_[place]]; }

  /// Of a tile in which the stream of `other` has the place of `place`: a part ends with its
  /// densest stream.
  std::int32_t time(std::size_t tile, std::size_t place, std::size_t other) const {
    StreamProfile most = profile(other);
    for (std::size_t one = tiles_[tile]; one < tiles_[tile + 1]; ++one) {
      if (one != place) raise(most, profile(one));
    }
    return std::accumulate(most.begin(), most.end(), 0);
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

  const StreamProfile* profiles_;
  const std::vector<std::size_t>& tiles_;
  std::vector<std::uint32_t>& places_;
};

}  // namespace

/// Deals a pool: `classes` of `streams` streams each. Tiles that are full come first, so that what
/// is left for the last tiles of classes is sparse.
std::vector<std::uint32_t> deal_pool(const StreamProfile* profiles, std::int64_t classes,
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

}  // namespace td::sim
