// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/tile_clock.hpp"

#include <algorithm>
#include <numeric>

namespace td::sim {

namespace {

constexpr int kFirstStep = 3;  // clocks from the start of a half to the tile's first step

/// Steps that are left of a pass when its last row enters a staging buffer of so many slots: all of
/// a pass that the buffer holds. Else it is one in dense mode, as rows then enter one by one, and
/// nearly always one where pairs are dropped; that is all that is not exact here.
std::int64_t steps_behind(const TileWork& work, std::int64_t slots) {
  return work.chunk_rows <= slots ? work.groups.back() : 1;
}

}  // namespace

std::int64_t TileWork::all_steps() const {
  return std::accumulate(groups.begin(), groups.end(), std::int64_t{0}) *
         static_cast<std::int64_t>(repeats);
}

void TurnsClock::update(const bool (&full)[2], bool part, bool busy) {
  const bool begin = begins(full);
  const bool ends = works_ ? !busy : begin && !part;
  for (std::size_t h = 0; h < 2; ++h) done_[h] = full[h] && (done_[h] || (ends && h == half_));
  works_ = (works_ || begin) && !ends;
  if (ends) half_ = 1 - half_;
}

TileClock::TileClock(const Config& config)
    : latency_(output_latency(config) - 1),
      stages_(config.adder_registers + 1),
      words_(config.rows),
      slots_(config.depth) {}

/// The pipeline moves: the tile steps if it can.
void TileClock::step() {
  if (feeding_.empty() || feeding_.front().first_rows_in > 0) return;
  Feeding& now = feeding_.front();
  stepped_ = now.work;
  --now.all_left;
  if (--now.left > 0) return;
  outputs_.push_back(latency_);
  if (++now.pass < now.work->passes()) {
    now.left = now.work->steps(now.pass);
  } else {
    feeding_.pop_front();
  }
}

void TileClock::update_feed(const bool (&full)[2], const TileWork* const (&work)[2]) {
  const TileWork* next = work[feed_.half()];
  const bool part = next != nullptr && next->passes() > 0;
  const bool starts = feed_.begins(full) && part;
  feed_.update(full, part, feeder_busy_);
  // The feeder rests once the last row is in the tile.
  feeder_busy_ =
      feeder_busy_ && !feeding_.empty() &&
      (feeding_.back().first_rows_in > 1 || feeding_.back().all_left > feeding_.back().behind);
  if (!starts) return;
  feeder_busy_ = true;
  feeding_.push_back(
      {next, 0, next->steps(0), next->all_steps(), steps_behind(*next, slots_), kFirstStep});
}

/// Returns whether an output leaves the tile.
bool TileClock::update_collect(const bool (&open)[2], const TileWork* const (&work)[2],
                               bool store_reads) {
  const bool reading = reads();
  const bool moves = collects_ && out_valid_ && !(store_reads && reading);
  const std::size_t half = collect_.half();
  const bool part = work[half] != nullptr && work[half]->passes() > 0;
  const bool starts = collect_.begins(open) && part;
  collect_.update(open, part, collects_ || moving_ > 0);
  moving_ = moves ? stages_ : std::max<std::int64_t>(0, moving_ - 1);
  const bool leaves = moves && word_ + 1 == words_;
  if (moves) word_ = leaves ? 0 : word_ + 1;
  if (leaves && ++output_ == collecting_->passes()) collects_ = false;
  if (starts) {
    collects_ = true;
    collecting_ = work[half];
    output_ = 0;
  }
  return leaves;
}

/// td1_skid.
void TileClock::update_buffer(bool complete, bool leaves) {
  const bool moves = leaves || !out_valid_;
  const bool room = moves || (out_room_ && !complete);
  if (moves) out_valid_ = (complete && out_room_) || (out_valid_ && !out_room_);
  out_room_ = room;
}

void TileClock::update(const bool (&full)[2], const TileWork* const (&feed)[2],
                       const bool (&open)[2], const TileWork* const (&collect)[2],
                       bool store_reads) {
  for (Feeding& feeding : feeding_) {
    if (feeding.first_rows_in > 0) --feeding.first_rows_in;
  }
  const bool complete = !outputs_.empty() && outputs_.front() == 1;
  const bool enabled = out_room_ || !complete;
  stepped_ = nullptr;
  if (enabled) {
    if (complete) outputs_.pop_front();
    for (std::int64_t& clocks : outputs_) --clocks;
    step();
  }
  update_feed(full, feed);
  const bool leaves = update_collect(open, collect, store_reads);
  update_buffer(complete, leaves);
}

}  // namespace td::sim
