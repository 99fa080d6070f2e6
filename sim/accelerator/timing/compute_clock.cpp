// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/compute_clock.hpp"

#include <algorithm>

namespace td::sim {

namespace {

constexpr std::int64_t kFillClocks = 3;  // of a fill besides its rows, until both sides are filled

}  // namespace

ComputeClock::ComputeClock(const Config& config)
    : tiles_(static_cast<std::size_t>(config.accelerator.tiles), TileClock(config)),
      quiet_(tiles_.size(), kForever),
      next_(kForever),
      store_(tiles_.size()) {}

TileInputs ComputeClock::inputs(std::size_t tile) const {
  TileInputs inputs;
  for (std::size_t h = 0; h < 2; ++h) {
    inputs.full[h] = full_[h];
    inputs.open[h] = open_[h];
    if (work_[h] != nullptr) inputs.feed[h] = &work_[h]->tiles[tile];
    if (outputs_[h] != nullptr) inputs.collect[h] = &outputs_[h]->tiles[tile];
  }
  inputs.store_reads = tile == store_;
  return inputs;
}

/// Brings a tile to the begin of this clock.
void ComputeClock::look_at(std::size_t tile) {
  const TileInputs now = inputs(tile);
  tiles_[tile].advance(now_, now);
  const std::int64_t quiet = tiles_[tile].quiet(now);
  quiet_[tile] = quiet == kForever ? kForever : now_ + quiet;
}

void ComputeClock::look_at_all() {
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) look_at(tile);
}

void ComputeClock::see() {
  for (std::size_t h = 0; h < 2; ++h) {
    fed_[h] = full_[h] && std::all_of(tiles_.begin(), tiles_.end(),
                                      [h](const TileClock& tile) { return tile.fed(h); });
    collected_[h] =
        open_[h] && std::all_of(tiles_.begin(), tiles_.end(),
                                [h](const TileClock& tile) { return tile.collected(h); });
  }
  next_ = *std::min_element(quiet_.begin(), quiet_.end());
}

/// Tiles go on for so many clocks.
void ComputeClock::pass(std::int64_t clocks, std::size_t store) {
  if (store != store_) {
    const std::size_t before = store_;
    if (before < tiles_.size()) look_at(before);
    if (store < tiles_.size()) look_at(store);
    store_ = store;
    for (const std::size_t tile : {before, store}) {
      if (tile < tiles_.size()) look_at(tile);
    }
    see();
  }
  now_ += clocks;
  if (now_ <= next_) return;
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    if (now_ > quiet_[tile]) look_at(tile);
  }
  see();
}

std::int64_t ComputeClock::quiet() const {
  if (fed_[0] || fed_[1] || done()) return 0;
  std::int64_t clocks = next_ == kForever ? kForever : next_ - now_;
  if (filling_ && fill_left_ > 0) clocks = std::min(clocks, fill_left_);
  return filling_ && fill_left_ == 0 && !open_[half_] ? 0 : clocks;
}

void ComputeClock::count(std::int64_t clocks, std::size_t store) {
  pass(clocks, store);
  fill_left_ = std::max<std::int64_t>(0, fill_left_ - clocks);
}

void ComputeClock::update(const ComputeWork* accepted, std::size_t store) {
  const bool filled = filling_ && fill_left_ == 0 && !open_[half_];
  const bool fed[2] = {fed_[0], fed_[1]}, collected[2] = {collected_[0], collected_[1]};
  pass(1, store);
  if (filled || fed[0] || fed[1] || collected[0] || collected[1]) {
    look_at_all();
    for (std::size_t h = 0; h < 2; ++h) {
      const bool begun = filled && half_ == h;
      full_[h] = (full_[h] && !fed[h]) || begun;
      open_[h] = (open_[h] && !collected[h]) || begun;
    }
    if (filled) outputs_[half_] = work_[half_];
    look_at_all();
    see();
  }
  if (fill_left_ > 0) --fill_left_;
  if (filled) {
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
