// SPDX-License-Identifier: Apache-2.0
// What the compute engine does, clock by clock: td1_compute, td1_fill and all tiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gen/configuration/config.hpp"
#include "sim/accelerator/timing/tile_clock.hpp"

namespace td::sim {

/// A compute descriptor.
struct ComputeWork {
  std::int64_t fill = 0;        ///< clocks of the longer fill
  std::vector<TileWork> tiles;  ///< by tile
};

class ComputeClock {
 public:
  explicit ComputeClock(const Config& config);

  bool filling() const { return filling_; }  ///< for the descriptor that was accepted last
  /// What a tile stepped for in the clock that has ended; null if it did not.
  const TileWork* stepped(std::size_t tile) const { return tiles_[tile].stepped(); }

  bool ready() const { return !filling_ && !full_[half_]; }  ///< for a descriptor
  bool done() const;                                         ///< with one

  /// The end of the clock. `accepted`: a descriptor, or null; `store`: the tile whose results the
  /// store engine reads, or none of them.
  void update(const ComputeWork* accepted, std::size_t store);

 private:
  bool all_fed(std::size_t half) const;
  bool all_collected(std::size_t half) const;
  void update_tiles(std::size_t store);

  std::vector<TileClock> tiles_;
  bool filling_ = false;
  std::int64_t fill_left_ = 0;  ///< clocks until both sides are filled
  std::size_t half_ = 0;        ///< that is filled next
  bool full_[2] = {false, false};
  bool open_[2] = {false, false};
  const ComputeWork* work_[2] = {nullptr, nullptr};     ///< of the halves
  const ComputeWork* outputs_[2] = {nullptr, nullptr};  ///< ... whose outputs are collected
};

}  // namespace td::sim
