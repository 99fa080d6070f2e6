// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/compute_clock.hpp"

#include <algorithm>

namespace td::sim {

namespace {

constexpr std::int64_t kFillClocks = 3;  // of a fill besides its rows, until both sides are filled

}  // namespace

ComputeClock::ComputeClock(const Config& config)
    : tiles_(static_cast<std::size_t>(config.accelerator.tiles), TileClock(config)) {}

bool ComputeClock::all_fed(std::size_t half) const {
  return std::all_of(tiles_.begin(), tiles_.end(),
                     [half](const TileClock& tile) { return tile.fed(half); });
}

bool ComputeClock::all_collected(std::size_t half) const {
  return std::all_of(tiles_.begin(), tiles_.end(),
                     [half](const TileClock& tile) { return tile.collected(half); });
}

bool ComputeClock::done() const {
  return (open_[0] && all_collected(0)) || (open_[1] && all_collected(1));
}

void ComputeClock::update_tiles(std::size_t store) {
  const auto of = [](const ComputeWork* work, std::size_t tile) {
    return work == nullptr ? nullptr : &work->tiles[tile];
  };
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    const TileWork* const feed[2] = {of(work_[0], t), of(work_[1], t)};
    const TileWork* const collect[2] = {of(outputs_[0], t), of(outputs_[1], t)};
    tiles_[t].update(full_, feed, open_, collect, t == store);
  }
}

void ComputeClock::update(const ComputeWork* accepted, std::size_t store) {
  const bool filled = filling_ && fill_left_ == 0 && !open_[half_];
  bool fed[2], collected[2];
  for (std::size_t h = 0; h < 2; ++h) {
    fed[h] = full_[h] && all_fed(h);
    collected[h] = open_[h] && all_collected(h);
  }
  update_tiles(store);
  for (std::size_t h = 0; h < 2; ++h) {
    const bool begun = filled && half_ == h;
    full_[h] = (full_[h] && !fed[h]) || begun;
    open_[h] = (open_[h] && !collected[h]) || begun;
  }
  if (fill_left_ > 0) --fill_left_;
  if (filled) {
    outputs_[half_] = work_[half_];
    half_ = 1 - half_;
    filling_ = false;
  }
  if (accepted != nullptr) {
    filling_ = true;
    fill_left_ = accepted->fill + kFillClocks;
    work_[half_] = accepted;
  }
}

}  // namespace td::sim
