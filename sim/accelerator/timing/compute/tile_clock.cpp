// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/compute/tile_clock.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "sim/accelerator/timing/forever.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t kCrowded = 8;  // clocks to the next output; fewer are looked at one by one
constexpr int kFirstStep = 3;         // clocks from the start of a half to the tile's first step

}  // namespace

std::int64_t TileWork::all_steps() const {
  return std::accumulate(groups, groups + group_count, std::int64_t{0}) *
         static_cast<std::int64_t>(repeats);
}

bool TurnsClock::turns(const bool (&full)[2], bool busy) const {
  return begins(full) || (works_ && !busy) || (done_[0] && !full[0]) || (done_[1] && !full[1]);
}

void TurnsClock::update(const bool (&full)[2], bool part, bool busy) {
  const bool begin = begins(full);
  const bool ends = works_ ? !busy : begin && !part;
  for (std::size_t h = 0; h < 2; ++h) done_[h] = full[h] && (done_[h] || (ends && h == half_));
  works_ = (works_ || begin) && !ends;
  if (ends) half_ = 1 - half_;
}

TileClock::TileClock(const Config& config, std::int64_t collect, ClockUseCounter& use,
                     bool keep_steps)
    : use_(&use),
      keep_steps_(keep_steps),
      latency_(output_latency(config) - 1),
      stages_(config.adder_registers + 1),
      apart_(collect),
      depth_(config.depth),
      late_(config.scheduler_registers > 0) {}

void TileClock::advance(std::int64_t now, const TileInputs& inputs) {
  while (now_ < now) {
    if (const std::int64_t clocks = std::min(flows(inputs), now - now_); clocks > 0) {
      flow(clocks);
      continue;
    }
    if (crowd(now, inputs)) continue;
    const std::int64_t clocks = std::min(counts(inputs), now - now_);
    if (clocks > 0) {
      count(clocks, inputs);
    } else {
      update(inputs);
    }
  }
}

bool TileClock::goes_on_like(const TileClock& other) const {
  const auto state = [](const TileClock& tile) {
    return std::tuple(tile.feed_.state(), tile.collect_.state(), tile.feeder_busy_, tile.out_valid_,
                      tile.out_room_, tile.held_, tile.collects_, tile.moving_, tile.word_,
                      std::max<std::int64_t>(0, tile.last_close_ - tile.moved_),
                      tile.collects_ ? tile.collecting_ : nullptr,
                      tile.collects_ ? tile.output_ : 0);
  };
  const auto same_feeding = [](const Feeding& a, const Feeding& b) {
    return a.work == b.work && a.pass == b.pass && a.left == b.left &&
           a.first_step == b.first_step && a.rows == b.rows;
  };
  const auto same_output = [&](std::int64_t a, std::int64_t b) {
    return a - moved_ == b - other.moved_;
  };
  return state(*this) == state(other) &&
         std::equal(feeding_.begin(), feeding_.end(), other.feeding_.begin(), other.feeding_.end(),
                    same_feeding) &&
         std::equal(outputs_.begin(), outputs_.end(), other.outputs_.begin(), other.outputs_.end(),
                    same_output);
}

std::int64_t TileClock::quiet(const TileInputs& inputs) const {
  if (feed_.turns(inputs.full, feeder_busy_) || collect_.turns(inputs.open, collect_busy())) {
    return 0;
  }
  std::int64_t clocks = kForever;
  if (feed_.works()) {
    const Feeding& last = feeding_.back();
    clocks = last.work->short_rows > 0
                 ? last.rows / last.work->short_rows
                 : std::max<std::int64_t>(0, last.all_left - last.work->behind);
  }
  if (collect_.works()) clocks = std::min(clocks, collects_ ? least_collect() : moving_);
  return clocks;
}

/// At least until the last output of what is collected has left.
std::int64_t TileClock::least_collect() const {
  const std::size_t outputs = collecting_->passes() - output_;
  const auto words = static_cast<std::int64_t>(outputs) * collecting_->collect - word_;
  if (!feeding_.empty() && feeding_.front().work == collecting_) {
    return std::max(words, feeding_.front().all_left + latency_);
  }
  // All its steps are over: those outputs that are not in the buffer are on their way.
  const std::size_t buffered = (out_valid_ ? 1U : 0U) + (out_room_ ? 0U : 1U);
  if (outputs <= buffered || outputs - buffered > outputs_.size()) return words;
  return std::max(words, outputs_[outputs - buffered - 1] - moved_);
}

/// Until the feeder's rest, which follows the step behind which the last row is in the tile.
std::int64_t TileClock::feeder_counts() const {
  const Feeding& last = feeding_.back();
  if (last.first_step > now_ + 1) return last.first_step - now_ - 1;
  const std::int64_t left = last.all_left - last.work->behind;
  return feeding_.size() > 1 && left > 0 ? kForever : std::max<std::int64_t>(0, left - 1);
}

/// Whether it steps and collects, and with these inputs nothing else begins.
bool TileClock::goes_on(const TileInputs& inputs) const {
  return collects_ && steps() && !(inputs.store_reads && collecting_->accumulate) &&
         !feed_.turns(inputs.full, feeder_busy_) && !collect_.turns(inputs.open, true);
}

/// Steps behind which neither the work that they are for ends nor the feeder rests. Rows of short
/// passes, for which it may rest, too, are not looked at.
std::int64_t TileClock::sure_steps() const {
  const Feeding& last = feeding_.back();
  const std::int64_t steps = feeding_.front().all_left - 1;
  if (!feeder_busy_ || last.work->short_rows > 0) return steps;
  const std::int64_t left = last.all_left - last.work->behind;
  if (feeding_.size() == 1) return std::min(steps, left - 1);
  return left > 0 ? steps : 0;
}

std::int64_t TileClock::flows(const TileInputs& inputs) const {
  if (!out_room_ || short_passes_ || !goes_on(inputs) || last_close_ > moved_ ||
      feeding_.front().work->least < apart_) {
    return 0;
  }
  std::int64_t clocks = sure_steps();
  if (out_valid_ && next_output() < collecting_->collect - word_) return 0;
  // Not beyond the last output of what is collected, if that is on its way.
  const std::size_t outputs = collecting_->passes() - output_;
  const std::size_t buffered = out_valid_ ? 1 : 0;
  if (outputs == buffered) return std::min(clocks, collecting_->collect - word_ - 1);
  if (outputs - buffered <= outputs_.size()) {
    clocks = std::min(clocks, outputs_[outputs - buffered - 1] - moved_ - 1 + collecting_->collect);
  }
  return clocks;
}

/// In each of so many clocks.
void TileClock::step_for(std::int64_t clocks) {
  Feeding& first = feeding_.front();
  if (first.begin == 0) first.begin = now_;
  first.all_left -= clocks;
  use_->steps(now_, now_ + clocks);
}

void TileClock::flow(std::int64_t clocks) {
  Feeding& first = feeding_.front();
  step_for(clocks);
  std::int64_t done = 0;
  for (; clocks - done >= first.left; first.left = first.work->steps(++first.pass)) {
    done += first.left;
    outputs_.push_back(moved_ + done + latency_);
  }
  first.left -= clocks - done;
  flow_out(now_ + clocks);
  moved_ += clocks;
  now_ += clocks;
}

/// Outputs leave until the begin of clock `end`; now_ and moved_ are those before.
void TileClock::flow_out(std::int64_t end) {
  std::int64_t last_move = now_ - 1 - (stages_ - moving_);
  const auto leave = [&](std::int64_t clock) {  // ... in which its last word moves
    const bool leaves = clock < end;
    out_valid_ = !leaves;
    word_ = leaves ? 0 : collecting_->collect - (clock - end + 1);
    if (leaves) ++output_;
    if (leaves || word_ > 0) last_move = std::min(clock, end - 1);
  };
  if (out_valid_) leave(now_ + collecting_->collect - word_ - 1);
  while (!outputs_.empty() && now_ + outputs_.front() - moved_ - 1 < end) {
    leave(now_ + outputs_.front() - moved_ - 1 + collecting_->collect);
    outputs_.pop_front();
  }
  moving_ = std::max<std::int64_t>(0, stages_ - (end - 1 - last_move));
}

/// Clocks up to `end` in which outputs come close behind each other or wait, or passes are short:
/// one by one, as update() has them, but it is known that nothing begins or ends but passes.
/// Returns whether there were any.
bool TileClock::crowd(std::int64_t end, const TileInputs& inputs) {
  if (!goes_on(inputs)) return false;
  Feeding& first = feeding_.front();
  const Feeding& last = feeding_.back();
  const bool feeds_short = feeder_busy_ && last.work->short_rows > 0;
  const std::size_t last_output = collecting_->passes() - 1;
  const std::int64_t begin = now_;
  std::int64_t stepped = now_;  // it has stepped from then on
  for (std::int64_t steps = sure_steps(); now_ < end && steps > 0 && output_ < last_output;
       ++now_) {
    if (!short_passes_ && out_room_ && next_output() > kCrowded) break;
    if (feeds_short && last.rows <= depth_) break;
    const bool completes = complete();
    const bool holds = !enabled();
    if (!holds) {
      if (completes) outputs_.pop_front();
      ++moved_;
      --steps;
      if (short_passes_) held_ -= leaving();
      if (first.begin == 0) first.begin = now_;
      --first.all_left;
      take_step();
    } else {
      if (stepped < now_) use_->steps(stepped, now_);
      stepped = now_ + 1;
    }
    if (holds) hold(1);
    if (short_passes_ && accepts(holds)) take_rows();
    const bool leaves = move_word(out_valid_);
    update_buffer(completes, leaves);
  }
  if (stepped < now_) use_->steps(stepped, now_);
  return now_ > begin;
}

std::int64_t TileClock::counts(const TileInputs& inputs) const {
  if (feed_.turns(inputs.full, feeder_busy_) || collect_.turns(inputs.open, collect_busy())) {
    return 0;
  }
  if ((!out_valid_ && !out_room_) || short_passes_) return 0;
  std::int64_t clocks = kForever;
  if (feeder_busy_) clocks = feeder_counts();
  if (enabled()) {
    if (!outputs_.empty()) clocks = std::min(clocks, outputs_.front() - moved_ - 1);
    if (!feeding_.empty()) {
      const Feeding& first = feeding_.front();
      clocks = std::min(clocks, steps() ? first.left - 1 : first.first_step - now_);
    }
  }
  if (moves(inputs)) {
    clocks = std::min(clocks, collecting_->collect - 1 - word_);
  } else if (moving_ > 0) {
    clocks = std::min(clocks, moving_);
  }
  return clocks;
}

void TileClock::count(std::int64_t clocks, const TileInputs& inputs) {
  if (enabled()) {
    moved_ += clocks;
    if (steps()) {
      feeding_.front().left -= clocks;
      step_for(clocks);
    }
  } else {
    hold(clocks);
  }
  if (moves(inputs)) {
    word_ += clocks;
    moving_ = stages_;
  } else {
    moving_ = std::max<std::int64_t>(0, moving_ - clocks);
  }
  now_ += clocks;
}

/// Rows of a short pass that leave in a step: all that later steps do not need. Of three rows and
/// more, in staging buffers of four, the first step may take fewer.
std::int64_t TileClock::leaving() const {
  const Feeding& first = feeding_.front();
  if (first.work->short_rows == 0) return 0;
  const bool begins = first.left == first.work->steps(first.pass);
  return begins ? first.work->short_rows - (first.left - 1) : 1;
}

/// Whether it has to be looked at in each clock, since it was given or has ended a work.
void TileClock::see_short_passes() {
  short_passes_ = std::any_of(feeding_.begin(), feeding_.end(),
                              [](const Feeding& one) { return one.work->short_rows > 0; });
}

/// Whether not all of its rows are in the tile.
bool TileClock::feeds_on(const Feeding& last) const {
  if (last.work->short_rows > 0) return last.rows > 0;
  return last.first_step > now_ + 1 || last.all_left > last.work->behind;
}

/// So many clocks in which the pipeline does not move. The first rows of works that come then wait,
/// if the tile accepts none.
void TileClock::hold(std::int64_t clocks) {
  if (!late_) return;
  for (Feeding& one : feeding_) {
    if (one.first_step > now_) one.first_step = std::max(one.first_step, now_ + clocks + 1);
  }
}

/// The end of a clock in which rows of short passes may have left.
void TileClock::take_rows() {
  if (feeding_.empty()) return;
  Feeding& last = feeding_.back();
  if (last.rows == 0 || last.first_step > now_ + 1) return;
  const std::int64_t offered = (last.rows - 1) % last.work->short_rows + 1;
  const std::int64_t taken = std::min(offered, depth_ - held_);
  last.rows -= taken;
  held_ += taken;
}

/// Of the pass: behind its last step its output is on its way, and the next pass begins.
void TileClock::take_step() {
  Feeding& first = feeding_.front();
  if (--first.left > 0) return;
  outputs_.push_back(moved_ + latency_);
  if (first.work->least < apart_) last_close_ = outputs_.back();
  if (++first.pass < first.work->passes()) first.left = first.work->steps(first.pass);
}

/// The pipeline moves: the tile steps if it can.
void TileClock::step() {
  if (!steps()) return;
  Feeding& first = feeding_.front();
  held_ -= leaving();
  step_for(1);
  take_step();
  if (first.left > 0) return;
  if (keep_steps_) stepped_.push_back({first.work, first.begin, now_ + 1});
  feeding_.pop_front();
  see_short_passes();
}

void TileClock::update_feed(const TileInputs& inputs) {
  const TileWork* next = inputs.feed[feed_.half()];
  const bool part = next != nullptr;
  const bool starts = feed_.begins(inputs.full) && part;
  feed_.update(inputs.full, part, feeder_busy_);
  // The feeder rests once the last row is in the tile.
  feeder_busy_ = feeder_busy_ && !feeding_.empty() && feeds_on(feeding_.back());
  if (!starts) return;
  feeder_busy_ = true;
  feeding_.push_back({next, 0, next->steps(0), next->all_steps(), now_ + kFirstStep, 0,
                      next->short_rows * static_cast<std::int64_t>(next->passes())});
  see_short_passes();
}

/// A word of an output moves, or none does. Returns whether it is the last one.
bool TileClock::move_word(bool move) {
  moving_ = move ? stages_ : std::max<std::int64_t>(0, moving_ - 1);
  const bool leaves = move && word_ + 1 == collecting_->collect;
  if (move) word_ = leaves ? 0 : word_ + 1;
  if (leaves && ++output_ == collecting_->passes()) collects_ = false;
  return leaves;
}

/// Returns whether an output leaves the tile.
bool TileClock::update_collect(const TileInputs& inputs) {
  const bool move = moves(inputs);
  const TileWork* next = inputs.collect[collect_.half()];
  const bool part = next != nullptr;
  const bool starts = collect_.begins(inputs.open) && part;
  collect_.update(inputs.open, part, collect_busy());
  const bool leaves = move_word(move);
  if (starts) {
    collects_ = true;
    collecting_ = next;
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

/// One clock.
void TileClock::update(const TileInputs& inputs) {
  const bool completes = complete();
  const bool holds = !enabled();
  if (holds) {
    hold(1);
  } else {
    if (completes) outputs_.pop_front();
    ++moved_;
    step();
  }
  if (accepts(holds)) take_rows();
  update_feed(inputs);
  const bool leaves = update_collect(inputs);
  update_buffer(completes, leaves);
  ++now_;
}

void TileClock::add_state(ClockState& state) const {
  const auto add = [&state](auto... values) { state.add(values...); };
  std::apply(add, feed_.state());
  std::apply(add, collect_.state());
  state.add(feeder_busy_, out_valid_, out_room_, held_, collects_, moving_, word_,
            std::max<std::int64_t>(0, last_close_ - moved_), feeding_.size(), outputs_.size());
  if (collects_) state.add(collecting_->number, output_);
  for (const Feeding& one : feeding_) {
    state.add(one.work->number, one.pass, one.left, one.all_left,
              std::max<std::int64_t>(0, one.first_step - now_), one.rows);
  }
  for (const std::int64_t output : outputs_) state.add(output - moved_);
}

void TileClock::skip(const Stride& stride) {
  now_ += stride.clocks;
  for (Feeding& one : feeding_) one.first_step += stride.clocks;
}

}  // namespace td::sim
