// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/bus/unpack_clock.hpp"

#include <algorithm>

#include "sim/accelerator/timing/forever.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

UnpackClock::UnpackClock(const Geometry& geometry)
    : mask_beats_(geometry.mask_rows() / geometry.beat_rows),
      word_beats_(geometry.write_rows() / geometry.beat_rows),
      ring_words_(kRingRows / geometry.write_rows()) {}

std::int64_t UnpackClock::words(std::int64_t beats) const {
  return beats <= mask_beats_ ? 0 : ceil_div(beats - mask_beats_, word_beats_);
}

bool UnpackClock::ready() const {
  if (coming_.empty()) return true;
  if (coming_.front().groups == 0) return blocks_ == 0;
  if (come_ == 0) return blocks_ < kBlocks;
  return words(come_ + 1) == words(come_) || used_ < ring_words_;
}

void UnpackClock::take(std::int64_t beats) {
  const TransferBurst& burst = coming_.front();
  const bool packed = burst.groups > 0;
  if (packed) {
    used_ += words(come_ + beats) - words(come_);
    if (come_ == 0) ++blocks_;
  }
  come_ += beats;
  if (come_ < burst.beats) return;
  if (packed) here_.push_back({burst.groups, words(come_)});
  coming_.pop_front();
  come_ = 0;
}

void UnpackClock::update(bool beat) {
  if (!leaving_.empty() && leaving_.front().clocks == 0) {
    used_ -= leaving_.front().words;
    --blocks_;
    leaving_.pop_front();
  }
  for (Leaving& block : leaving_) --block.clocks;
  if (!here_.empty() && ++group_ == here_.front().groups) {
    leaving_.push_back({kLeaves - 1, here_.front().words});
    here_.pop_front();
    group_ = 0;
  }
  if (beat) take(1);
}

std::int64_t UnpackClock::quiet() const {
  std::int64_t clocks = leaving_.empty() ? kForever : leaving_.front().clocks;
  if (!here_.empty()) clocks = std::min(clocks, here_.front().groups - group_ - 1);
  if (!coming_.empty() && coming_.front().groups > 0 && ready()) {
    const bool fits = used_ + words(coming_.front().beats) - words(come_) <= ring_words_;
    if (!fits) return 0;
  }
  return clocks;
}

void UnpackClock::count(std::int64_t clocks, std::int64_t beats) {
  for (Leaving& block : leaving_) block.clocks -= clocks;
  if (!here_.empty()) group_ += clocks;
  if (beats > 0) take(beats);
}

void UnpackClock::add_state(ClockState& state) const {
  state.add(come_, group_, used_, blocks_, coming_.size(), here_.size(), leaving_.size());
  for (const TransferBurst& burst : coming_) state.add(burst.beats, burst.groups);
  for (const Block& block : here_) state.add(block.groups, block.words);
  for (const Leaving& block : leaving_) state.add(block.clocks, block.words);
}

}  // namespace td::sim
