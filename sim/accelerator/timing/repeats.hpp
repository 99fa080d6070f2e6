// SPDX-License-Identifier: Apache-2.0
// Jobs are loops: a job that comes to a state in which it has been goes on as it did from there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/accelerator/timing/clock_state.hpp"
#include "sim/accelerator/timing/clock_use.hpp"
#include "sim/accelerator/timing/control_clock.hpp"

namespace td::sim {

/// Numbers of a job's descriptors: those that are alike for the timeline have the same. What they
/// wait for counts from the descriptors before them.
class DescriptorNumbers {
 public:
  /// Whether jobs with as many different descriptors are looked at.
  bool few() const { return numbers_.size() < kMostNumbers; }
  /// Of the next one. `state`: what it is to its engine; what it is to control is added.
  std::size_t add(const ControlWork& control, ClockState& state);

  /// By place in the job.
  const std::vector<std::size_t>& all() const { return all_; }
  /// Whether enough of them are alike that the job may come to a state again.
  bool may_repeat() const { return !all_.empty() && few() && 2 * numbers_.size() <= all_.size(); }

 private:
  static constexpr std::size_t kMostNumbers = 1024;

  StateMap<std::size_t> numbers_;
  std::vector<std::size_t> all_;
  std::array<std::int64_t, 3> before_ = {0, 0, 0};  ///< descriptors, by kind
  /// The most that one of a kind (first) has waited for, by kind (second).
  std::array<std::array<std::int64_t, 3>, 3> waited_ = {};
};

/// Where a job is.
struct Mark {
  std::int64_t next = 0;                              ///< clock
  std::size_t oldest = 0;                             ///< descriptor that control holds
  std::size_t newest = 0;                             ///< ... whose units arrive
  std::int64_t units = 0;                             ///< that surely are still to be asked for
  std::array<std::uint32_t, 3> finished = {0, 0, 0};  ///< descriptors, by kind
  ClockUse use;                                       ///< of the clocks before
};

/// Strides that are all alike.
struct Leap {
  Stride stride;  ///< all of them
  ClockUse use;
};

/// The states of a job.
class Repeats {
 public:
  /// That looks for nothing.
  Repeats() = default;
  /// Of a job of these descriptors, which outlive it.
  explicit Repeats(const DescriptorNumbers& numbers)
      : numbers_(&numbers.all()), useless_(numbers.may_repeat() ? 0 : kUseless) {}

  /// Whether it is worth the while to tell where the job is.
  bool looks() const { return useless_ < kUseless && seen_.size() < kMostSeen; }

  /// The job has come there. Returns how far it goes on as it did when it came there before.
  std::optional<Leap> come(const ClockState& state, const Mark& mark);

 private:
  static constexpr int kUseless = 4096;  // states, one after the other, that nothing comes of
  static constexpr std::size_t kMostSeen = 16384;  // states

  /// When a state was met. From the last time on rounds of an inner loop may come again, from the
  /// first time on those of an outer one.
  struct Seen {
    Mark first, last;
  };

  std::optional<Leap> leap(const Mark& before, const Mark& mark);
  std::size_t alike_until(std::size_t begin, std::size_t apart);

  const std::vector<std::size_t>* numbers_ = nullptr;
  StateMap<Seen> seen_;
  std::unordered_map<std::size_t, std::size_t> until_;  ///< alike_until(), by how far apart
  int useless_ = kUseless;
};

}  // namespace td::sim
