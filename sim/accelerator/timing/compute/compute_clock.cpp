// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/compute/compute_clock.hpp"

#include <algorithm>

#include "sim/accelerator/timing/forever.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t kFillClocks = 3;  // of a fill besides its rows, until both sides are filled

std::int64_t longest_collect(const std::vector<ComputeWork>& computes) {
  std::int64_t longest = 1;
  for (const ComputeWork& compute : computes) {
    for (const TileWork& line : compute.lines) longest = std::max(longest, line.collect);
  }
  return longest;
}

}  // namespace

ComputeClock::ComputeClock(const Config& config, const std::vector<ComputeWork>& computes,
                           ClockUseCounter& use, bool keep_steps)
    : use_(&use),
      keep_steps_(keep_steps),
      stepped_(static_cast<std::size_t>(config.accelerator.tiles)),
      tiles_(stepped_.size(), TileClock(config, longest_collect(computes), use, keep_steps)),
      leader_(tiles_.size()),
      quiet_(tiles_.size(), kForever),
      next_(kForever),
      store_(tiles_.size()) {
  const auto same_work = [&](std::size_t first, std::size_t tile) {
    return std::all_of(computes.begin(), computes.end(), [&](const ComputeWork& one) {
      return one.line_of.empty() || one.line_of[first] == one.line_of[tile];
    });
  };
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    while (!same_work(leader_[tile], tile)) ++leader_[tile];
  }
  alike_ = leader_;
  set_leaders();
}

void ComputeClock::count_in(ClockUseCounter& use) {
  use_ = &use;
  for (TileClock& tile : tiles_) tile.count_in(use);
}

void ComputeClock::set_leaders() {
  leaders_ = leader_;
  std::sort(leaders_.begin(), leaders_.end());
  leaders_.erase(std::unique(leaders_.begin(), leaders_.end()), leaders_.end());
}

/// Whether a store that reads of it can hold a tile up.
bool ComputeClock::can_be_held_up(std::size_t tile) const {
  const auto adds = [&](std::size_t h) {
    const TileWork* work = open_[h] ? outputs_[h]->work(tile) : nullptr;
    return work != nullptr && work->accumulate;
  };
  return tile < tiles_.size() && (adds(0) || adds(1));
}

/// The tile that the store engine reads goes on by itself where that can hold it up. Its leader is
/// at the begin of this clock.
void ComputeClock::part_held_up() {
  if (!can_be_held_up(store_)) return;
  const std::size_t leader = leader_[store_];
  if (std::count(leader_.begin(), leader_.end(), leader) == 1) return;
  if (leader != store_) {
    tiles_[store_] = tiles_[leader];
    quiet_[store_] = quiet_[leader];
    leader_[store_] = store_;
  } else {
    std::size_t next = store_ + 1;
    while (leader_[next] != leader) ++next;
    tiles_[next] = tiles_[store_];
    quiet_[next] = quiet_[store_];
    for (std::size_t tile = next; tile < leader_.size(); ++tile) {
      if (leader_[tile] == leader) leader_[tile] = next;
    }
  }
  set_leaders();
}

/// Tiles that went on by themselves and have caught up with one before are one with it again.
/// Leaders are at the begin of this clock.
void ComputeClock::join_caught_up() {
  if (leader_ == alike_) return;
  for (const std::size_t tile : leaders_) {
    const auto caught_up = [&](std::size_t first) {
      return alike_[first] == alike_[tile] && first != store_ && tile != store_ &&
             tiles_[first].goes_on_like(tiles_[tile]);
    };
    const auto until = leader_.begin() + static_cast<std::ptrdiff_t>(tile);
    const auto first = std::find_if(leader_.begin(), until, caught_up);
    if (first != until) std::replace(leader_.begin(), leader_.end(), tile, *first);
  }
  set_leaders();
}

/// A tile that stands for others is held up by no store.
TileInputs ComputeClock::inputs(std::size_t tile) const {
  TileInputs inputs;
  for (std::size_t h = 0; h < 2; ++h) {
    inputs.full[h] = full_[h];
    inputs.open[h] = open_[h];
    if (work_[h] != nullptr) inputs.feed[h] = work_[h]->work(tile);
    if (outputs_[h] != nullptr) inputs.collect[h] = outputs_[h]->work(tile);
  }
  inputs.store_reads = tile == store_;
  return inputs;
}

/// Brings a tile to the begin of this clock.
TileInputs ComputeClock::bring(std::size_t tile) {
  const TileInputs now = inputs(tile);
  tiles_[tile].advance(now_, now);
  if (keep_steps_) keep_stepped(tile);
  return now;
}

/// ... and sees when it is looked at again.
void ComputeClock::look_at(std::size_t tile) {
  const std::int64_t quiet = tiles_[tile].quiet(bring(tile));
  quiet_[tile] = quiet == kForever ? kForever : now_ + quiet;
}

/// For all tiles that it stands for.
void ComputeClock::keep_stepped(std::size_t leader) {
  const std::vector<TileSteps> stepped = tiles_[leader].take_stepped();
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
    if (leader_[tile] != leader) continue;
    stepped_[tile].insert(stepped_[tile].end(), stepped.begin(), stepped.end());
  }
}

void ComputeClock::look_at_all() {
  for (const std::size_t tile : leaders_) look_at(tile);
  use_->count(now_);
}

/// Whether all tiles are through with a half that is full or open, and if not, until when the last
/// of them surely is not. None is to be looked at.
template <class Through>
void ComputeClock::see(bool half, bool& all, Through through) {
  std::int64_t last = 0;
  for (const std::size_t tile : leaders_) {
    if (!through(tiles_[tile])) last = std::max(last, quiet_[tile]);
  }
  all = half && last == 0;
  if (half && !all) next_ = std::min(next_, last);
}

void ComputeClock::see() {
  next_ = kForever;
  for (std::size_t h = 0; h < 2; ++h) {
    see(full_[h], fed_[h], [h](const TileClock& tile) { return tile.fed(h); });
    see(open_[h], collected_[h], [h](const TileClock& tile) { return tile.collected(h); });
  }
}

/// Tiles go on for so many clocks.
void ComputeClock::pass(std::int64_t clocks, std::size_t store) {
  if (store != store_) {
    // A store holds tiles up; none is sooner through with a half than was seen without.
    for (const std::size_t tile : {store_, store}) {
      if (can_be_held_up(tile)) bring(leader_[tile]);
    }
    store_ = store;
    part_held_up();
  }
  now_ += clocks;
  if (now_ <= next_) return;
  for (const std::size_t tile : leaders_) {
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
    for (const std::size_t tile : leaders_) bring(tile);
    for (std::size_t h = 0; h < 2; ++h) {
      const bool begun = filled && half_ == h;
      full_[h] = (full_[h] && !fed[h]) || begun;
      open_[h] = (open_[h] && !collected[h]) || begun;
    }
    if (filled) outputs_[half_] = work_[half_];
    join_caught_up();
    part_held_up();
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

void ComputeClock::catch_up() {
  look_at_all();
  see();
}

void ComputeClock::add_state(ClockState& state) const {
  state.add(store_, filling_, fill_left_, half_);
  for (std::size_t h = 0; h < 2; ++h) {
    state.add(full_[h], open_[h], fed_[h], collected_[h]);
    if (full_[h] || (filling_ && h == half_)) state.add(work_[h]->number);
    if (open_[h]) state.add(outputs_[h]->number);
  }
  for (const std::size_t leader : leader_) state.add(leader);
  for (const std::size_t tile : leaders_) tiles_[tile].add_state(state);
}

void ComputeClock::skip(const Stride& stride) {
  now_ += stride.clocks;
  for (const std::size_t tile : leaders_) {
    tiles_[tile].skip(stride);
    if (quiet_[tile] != kForever) quiet_[tile] += stride.clocks;
  }
  if (next_ != kForever) next_ += stride.clocks;
}

}  // namespace td::sim
