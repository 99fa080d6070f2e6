// SPDX-License-Identifier: Apache-2.0
// What fetch and dispatch do, clock by clock: td1_fetch, td1_dispatch, td1_sort and
// td1_slot.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/timing/clock_state.hpp"

namespace td::sim {

/// What control sees of a descriptor.
struct ControlWork {
  std::size_t kind = 0;  ///< index of Descriptor
  Waits waits;
  std::size_t units() const { return kind == 1 ? 4 : 1; }  ///< of 64 bytes
};

constexpr std::int64_t kUnits = 32;  ///< that are on their way or in the ring

/// Fetches a job's units.
class FetchClock {
 public:
  FetchClock(const std::vector<ControlWork>& job, std::int64_t unit_beats);

  /// The job has only so many descriptors; none behind them has been asked for.
  void end_at(std::size_t size) { known_ -= static_cast<std::int64_t>(job_.size() - size); }

  bool address() const { return address_; }  ///< is on the bus
  std::int64_t unit_beats() const { return unit_beats_; }
  bool unit() const { return offered_; }  ///< is there for dispatch

  /// Whether it waits for the bus, which takes an address or does not, for units that it has asked
  /// for, or for dispatch.
  bool rests(bool bus_ready) const {
    return !(address_ && bus_ready) && !asks() && (held_ == 0 || offered_);
  }

  void update(bool bus_ready, bool beat, bool unit_taken);

  std::int64_t known() const { return known_; }           ///< units that are not asked for
  std::size_t descriptor() const { return descriptor_; }  ///< whose units arrive
  /// known() is no part of it: as long as there are many it asks alike.
  void add_state(ClockState& state, std::size_t next) const;
  void skip(const Stride& stride);

 private:
  bool asks() const;

  const std::vector<ControlWork>& job_;
  std::int64_t unit_beats_;
  std::int64_t known_;  ///< units that there surely are, and are not asked for
  std::int64_t asked_ = 0, held_ = 0;
  std::int64_t beat_ = 0;       ///< of the unit that arrives
  std::size_t descriptor_ = 0;  ///< ... and its descriptor
  std::size_t unit_ = 0;        ///< ... of that
  bool address_ = false;
  bool offered_ = false;  ///< a unit has left the ring
};

/// Holds a unit until its slot is free, and a descriptor of each kind until its waits are over.
class DispatchClock {
 public:
  explicit DispatchClock(const std::vector<ControlWork>& job) : job_(job), size_(job.size()) {}

  /// The job has only so many descriptors.
  void end_at(std::size_t size) { size_ = size; }

  bool takes_unit() const { return !here_ || unit_goes(); }  ///< if there is one
  /// The descriptor that is offered to an engine, by its place in the job; npos: none.
  std::size_t offered(std::size_t kind) const {
    const Slot& slot = slots_[kind];
    return slot.met && slot.working != kAtWork[kind] ? slot.descriptor : npos;
  }
  bool job_done() const { return done_; }

  /// Whether nothing happens until an engine accepts or is done, or a unit comes.
  bool rests() const;

  /// The end of the clock: whether a unit was taken, what engines accept and are done with.
  void update(bool taken, const bool (&accepted)[3], const bool (&done)[3]);

  std::size_t next() const { return next_; }       ///< descriptor that goes to its slot next
  std::size_t oldest() const;                      ///< ... or is there
  std::array<std::uint32_t, 3> finished() const {  ///< by kind
    return {slots_[0].finished, slots_[1].finished, slots_[2].finished};
  }
  void add_state(ClockState& state) const;
  void skip(const Stride& stride);

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

 private:
  /// Descriptors that an engine has and is not done with.
  static constexpr std::size_t kAtWork[] = {7, 3, 7};

  struct Slot {
    bool held = false, met = false;  ///< a descriptor; its waits are over
    std::size_t descriptor = 0;
    std::size_t working = 0;
    std::uint32_t finished = 0;
  };

  const std::vector<ControlWork>& job_;
  std::size_t size_;                        ///< of the job
  bool unit_goes() const;                   ///< to its slot
  bool waits_over(const Slot& slot) const;  ///< of what is held there
  bool all_finished() const;

  bool here_ = false, judged_ = false;  ///< a unit is, and it is known whose it is
  bool done_ = false;
  std::size_t next_ = 0;  ///< descriptor whose units go to a slot
  std::size_t unit_ = 0;  ///< ... of that
  Slot slots_[3];
};

}  // namespace td::sim
