// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/control_clock.hpp"

#include <algorithm>
#include <iterator>

namespace td::sim {

FetchClock::FetchClock(const std::vector<ControlWork>& job, std::int64_t unit_beats)
    : job_(job), unit_beats_(unit_beats), known_(static_cast<std::int64_t>(job.size())) {}

bool FetchClock::asks() const { return known_ > 0 && !address_ && asked_ + held_ < kUnits; }

void FetchClock::update(bool bus_ready, bool beat, bool unit_taken) {
  const bool asked = asks();
  if (asked) {
    --known_;
    ++asked_;
  }
  address_ = asked || (address_ && !bus_ready);
  const bool leaves = held_ > 0 && (!offered_ || unit_taken);
  offered_ = leaves || (offered_ && !unit_taken);
  if (leaves) --held_;
  if (!beat) return;
  // The first beat of a descriptor says how many units it has.
  const std::size_t units = job_[descriptor_].units();
  if (beat_ == 0 && unit_ == 0) known_ += static_cast<std::int64_t>(units) - 1;
  if (++beat_ < unit_beats_) return;
  beat_ = 0;
  --asked_;
  ++held_;
  if (++unit_ < units) return;
  unit_ = 0;
  ++descriptor_;
}

void FetchClock::add_state(ClockState& state, std::size_t next) const {
  state.add(asked_, held_, beat_, unit_, address_, offered_, descriptor_ - next);
}

void FetchClock::skip(const Stride& stride) {
  descriptor_ += stride.descriptors;
  known_ -= static_cast<std::int64_t>(stride.descriptors);
}

bool DispatchClock::unit_goes() const { return judged_ && !slots_[job_[next_].kind].held; }

bool DispatchClock::waits_over(const Slot& slot) const {
  const Waits& waits = job_[slot.descriptor].waits;
  return slots_[0].finished >= waits.loads && slots_[1].finished >= waits.computes &&
         slots_[2].finished >= waits.stores;
}

bool DispatchClock::all_finished() const {
  return next_ == size_ && std::all_of(std::begin(slots_), std::end(slots_), [](const Slot& slot) {
           return !slot.held && slot.working == 0;
         });
}

bool DispatchClock::rests() const {
  if (unit_goes() || (here_ && !judged_) || done_ != all_finished()) return false;
  return std::all_of(std::begin(slots_), std::end(slots_), [this](const Slot& slot) {
    return slot.met == (slot.held && waits_over(slot));
  });
}

void DispatchClock::update(bool taken, const bool (&accepted)[3], const bool (&done)[3]) {
  const bool goes = unit_goes();
  done_ = all_finished();
  bool met[3];
  for (std::size_t kind = 0; kind < 3; ++kind) {
    met[kind] = slots_[kind].held && !accepted[kind] && waits_over(slots_[kind]);
  }
  for (std::size_t kind = 0; kind < 3; ++kind) {
    Slot& slot = slots_[kind];
    slot.met = met[kind];
    if (accepted[kind]) slot.held = false;
    slot.working += accepted[kind] ? 1 : 0;
    slot.working -= done[kind] ? 1 : 0;
    slot.finished += done[kind] ? 1 : 0;
  }
  judged_ = judged_ ? !goes : here_;
  here_ = taken || (here_ && !goes);
  if (!goes || ++unit_ < job_[next_].units()) return;
  unit_ = 0;
  Slot& slot = slots_[job_[next_].kind];
  slot.held = true;
  slot.descriptor = next_++;
}

std::size_t DispatchClock::oldest() const {
  std::size_t oldest = next_;
  for (const Slot& slot : slots_) {
    if (slot.held) oldest = std::min(oldest, slot.descriptor);
  }
  return oldest;
}

/// Those that an engine has finished are those before, without those that it has or that are held.
void DispatchClock::add_state(ClockState& state) const {
  state.add(here_, judged_, done_, unit_);
  for (const Slot& slot : slots_) {
    state.add(slot.held, slot.met, slot.working);
    if (slot.held) state.add(next_ - slot.descriptor);
  }
}

void DispatchClock::skip(const Stride& stride) {
  next_ += stride.descriptors;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    slots_[kind].descriptor += stride.descriptors;
    slots_[kind].finished += stride.finished[kind];
  }
}

}  // namespace td::sim
