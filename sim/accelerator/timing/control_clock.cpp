// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/control_clock.hpp"

#include <algorithm>
#include <iterator>

namespace td::sim {

namespace {

constexpr std::int64_t kUnits = 32;  // that are on their way or in the ring

}  // namespace

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

bool DispatchClock::unit_goes() const { return judged_ && !slots_[job_[next_].kind].held; }

bool DispatchClock::waits_over(const Slot& slot) const {
  const Waits& waits = job_[slot.descriptor].waits;
  return slots_[0].finished >= waits.loads && slots_[1].finished >= waits.computes &&
         slots_[2].finished >= waits.stores;
}

bool DispatchClock::all_finished() const {
  return next_ == job_.size() &&
         std::all_of(std::begin(slots_), std::end(slots_),
                     [](const Slot& slot) { return !slot.held && slot.working == 0; });
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

}  // namespace td::sim
