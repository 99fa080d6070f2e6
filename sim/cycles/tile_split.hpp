// SPDX-License-Identifier: Apache-2.0
// How an operation's passes are shared among the tiles of an array: dealt in turn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace td::sim {

/// Adds up cycles tile by tile: pass p of an operation, counted over its blocks in their order,
/// runs on tile p modulo the number of tiles. All tiles begin an operation together.
class TileSplit {
 public:
  explicit TileSplit(int tiles) : tiles_(tiles), changes_(static_cast<std::size_t>(tiles) + 1) {}

  /// `count` passes from number `first` on, of `cycles` each.
  void add(std::int64_t first, std::int64_t count, std::int64_t cycles) {
    every_ += count / tiles_ * cycles;
    const std::int64_t begin = first % tiles_;
    const std::int64_t end = begin + count % tiles_;
    add_to(begin, std::min(end, tiles_), cycles);
    add_to(0, end - tiles_, cycles);
  }

  /// Cycles of the tile that has the most to do.
  std::int64_t slowest() const {
    std::vector<std::int64_t> cycles(changes_.size());
    std::partial_sum(changes_.begin(), changes_.end(), cycles.begin());
    return every_ + *std::max_element(cycles.begin(), cycles.end() - 1);
  }

  /// Cycles of all tiles together.
  std::int64_t total() const {
    std::int64_t sum = every_ * tiles_;
    for (std::size_t tile = 0; tile < changes_.size(); ++tile) {
      sum += changes_[tile] * (tiles_ - static_cast<std::int64_t>(tile));
    }
    return sum;
  }

 private:
  void add_to(std::int64_t begin, std::int64_t end, std::int64_t cycles) {
    if (begin >= end) return;
    changes_[static_cast<std::size_t>(begin)] += cycles;
    changes_[static_cast<std::size_t>(end)] -= cycles;
  }

  std::int64_t tiles_;
  std::int64_t every_ = 0;             ///< cycles that every tile has
  std::vector<std::int64_t> changes_;  ///< [tile]: more cycles than the tile before
};

}  // namespace td::sim
