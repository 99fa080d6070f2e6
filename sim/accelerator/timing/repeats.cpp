// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/repeats.hpp"

#include <algorithm>

namespace td::sim {

namespace {

// Units that there are to be asked for behind a leap. Within a round it may be fewer by as many as
// can be on their way, and those of a descriptor that has begun to come: there are always some.
constexpr std::int64_t kManyUnits = 2 * kUnits;

}  // namespace

std::size_t DescriptorNumbers::add(const ControlWork& control, ClockState& state) {
  const std::int64_t waits[3] = {control.waits.loads, control.waits.computes, control.waits.stores};
  state.add(control.kind);
  auto& waited = waited_[control.kind];
  for (std::size_t kind = 0; kind < 3; ++kind) {
    // What one before it waited for has come.
    const bool new_wait = waits[kind] > waited[kind];
    state.add(new_wait, new_wait ? before_[kind] - waits[kind] : 0);
    waited[kind] = std::max(waited[kind], waits[kind]);
  }
  ++before_[control.kind];
  all_.push_back(numbers_.try_emplace(state, numbers_.size()).first->second);
  return all_.back();
}

/// The first descriptor from `begin` on that is not like the one so far behind it. `begin` is never
/// before that of an earlier call: a job goes forward.
std::size_t Repeats::alike_until(std::size_t begin, std::size_t apart) {
  std::size_t& until = until_[apart];
  if (until > begin) return until;
  until = begin;
  while (until + apart < numbers_->size() && (*numbers_)[until] == (*numbers_)[until + apart])
    ++until;
  return until;
}

std::optional<Leap> Repeats::leap(const Mark& before, const Mark& mark) {
  const std::size_t apart = mark.oldest - before.oldest;
  if (apart == 0) return std::nullopt;
  const std::size_t until = alike_until(before.oldest, apart);
  if (until <= before.newest) return std::nullopt;
  const auto times = std::min(static_cast<std::int64_t>((until - 1 - before.newest) / apart),
                              (mark.units - kManyUnits) / static_cast<std::int64_t>(apart));
  if (times < 1) return std::nullopt;
  Leap leap;
  leap.stride.clocks = times * (mark.next - before.next);
  leap.stride.descriptors = static_cast<std::size_t>(times) * apart;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    leap.stride.finished[kind] =
        static_cast<std::uint32_t>(times) * (mark.finished[kind] - before.finished[kind]);
  }
  const ClockUse once = difference(mark.use, before.use);
  for (const ClockPart& part : kClockParts) leap.use.*part.clocks = times * (once.*part.clocks);
  return leap;
}

std::optional<Leap> Repeats::come(const ClockState& state, const Mark& mark) {
  ++useless_;
  const auto [found, is_new] = seen_.try_emplace(state, Seen{mark, mark});
  if (is_new) return std::nullopt;
  Seen& seen = found->second;
  std::optional<Leap> farthest = leap(seen.first, mark);
  const std::optional<Leap> other = leap(seen.last, mark);
  if (!farthest || (other && other->stride.clocks > farthest->stride.clocks)) farthest = other;
  seen.last = mark;
  if (farthest) useless_ = 0;
  return farthest;
}

}  // namespace td::sim
