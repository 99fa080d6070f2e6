// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/bus/memory_clock.hpp"

#include <algorithm>

#include "sim/accelerator/timing/forever.hpp"

namespace td::sim {

void MemoryClock::begin(std::int64_t now, bool loads) {
  now_ = now;
  budget_ = std::min(budget_ + timing_.bandwidth, timing_.bandwidth);
  const bool due = !reads_.empty() && reads_.front().due <= now;
  if (due && !stands_ && budget_ >= 0) {
    move(beat_);
    stands_ = true;
  }
  reads_now_ = due && stands_ && !waits(loads);
  last_beat_ = false;
  if (reads_now_) {
    stands_ = false;
    reader_ = reads_.front().reader;
    last_beat_ = --reads_.front().beats == 0;
    if (last_beat_) reads_.pop_front();
  }
  answer_ = !writes_.empty() && writes_.front().due <= now && written_ >= writes_.front().beats;
  if (answer_) {
    written_ -= writes_.front().beats;
    writes_.pop_front();
  }
}

std::int64_t MemoryClock::quiet(std::int64_t now, bool loads) const {
  std::int64_t clocks = kForever;
  if (!reads_.empty() && waits(loads)) {
    const std::int64_t due = reads_.front().due;
    if (limited() && !stands_) clocks = std::max<std::int64_t>(0, due - now);
  } else if (!reads_.empty()) {
    const Burst& burst = reads_.front();
    const bool counts = burst.reader == Reader::load && !limited();
    clocks = burst.due > now ? burst.due - now : counts ? burst.beats - 1 : 0;
  }
  if (!writes_.empty()) {
    const Burst& burst = writes_.front();
    if (burst.due > now) clocks = std::min(clocks, burst.due - now);
    if (burst.due <= now && written_ >= burst.beats) clocks = 0;
  }
  return clocks;
}

std::int64_t MemoryClock::count(std::int64_t now, std::int64_t clocks, std::int64_t written,
                                bool loads) {
  budget_ = std::min(budget_ + clocks * timing_.bandwidth, timing_.bandwidth);
  written_ += written;
  if (reads_.empty() || reads_.front().due > now || waits(loads)) return 0;
  reads_.front().beats -= clocks;
  return clocks;
}

void MemoryClock::accept_read(Reader reader, std::int64_t beats) {
  reads_.push_back({reader, beats, now_ + 1 + timing_.latency});
}

void MemoryClock::accept_beat() {
  ++written_;
  move(beat_);
}

void MemoryClock::accept_write(std::int64_t beats) {
  writes_.push_back({Reader::load, beats, now_ + 1 + timing_.latency});
}

void MemoryClock::add_state(ClockState& state, std::int64_t next) const {
  state.add(budget_, stands_, written_);
  for (const Ring<Burst>* bursts : {&reads_, &writes_}) {
    state.add(bursts->size());
    for (const Burst& burst : *bursts) {
      state.add(burst.reader, burst.beats, std::max<std::int64_t>(0, burst.due - next));
    }
  }
}

void MemoryClock::skip(const Stride& stride) {
  for (Burst& burst : reads_) burst.due += stride.clocks;
  for (Burst& burst : writes_) burst.due += stride.clocks;
}

}  // namespace td::sim
