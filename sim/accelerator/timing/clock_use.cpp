// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/clock_use.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>

namespace td::sim {

namespace {

constexpr std::size_t kWordBits = 64;

/// Calls use(word, mask) for each word that has some of bits begin…end-1.
template <class Use>
void each_word(std::size_t begin, std::size_t end, Use use) {
  while (begin < end) {
    const std::size_t first = begin % kWordBits;
    const std::size_t bits = std::min(end - begin, kWordBits - first);
    use(begin / kWordBits, ~std::uint64_t{0} >> (kWordBits - bits) << first);
    begin += bits;
  }
}

}  // namespace

void add(ClockUse& sum, const ClockUse& other) {
  for (const ClockPart& part : kClockParts) sum.*part.clocks += other.*part.clocks;
}

ClockUse difference(const ClockUse& after, const ClockUse& before) {
  ClockUse use = after;
  for (const ClockPart& part : kClockParts) use.*part.clocks -= before.*part.clocks;
  return use;
}

void ClockUseCounter::steps(std::int64_t begin, std::int64_t end) {
  const std::size_t words = (bit(end) - 1) / kWordBits + 1;
  if (words > steps_.size()) steps_.resize(words);
  each_word(bit(begin), bit(end),
            [this](std::size_t word, std::uint64_t mask) { steps_[word] |= mask; });
}

std::int64_t ClockUseCounter::steps_in(std::int64_t begin, std::int64_t end) const {
  std::size_t clocks = 0;
  each_word(bit(begin), std::min(bit(end), steps_.size() * kWordBits),
            [&](std::size_t word, std::uint64_t mask) {
              clocks += std::bitset<kWordBits>(steps_[word] & mask).count();
            });
  return static_cast<std::int64_t>(clocks);
}

void ClockUseCounter::count(std::int64_t now) {
  if (now == begin_) return;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const std::int64_t begin = others_[i].begin;
    const std::int64_t end = i + 1 < others_.size() ? others_[i + 1].begin : now;
    const std::int64_t steps = steps_in(begin, end);
    use_.steps += steps;
    use_.*others_[i].part += end - begin - steps;
  }
  others_.front() = {now, others_.back().part};
  others_.erase(others_.begin() + 1, others_.end());
  steps_.clear();
  begin_ = now;
}

void ClockUseCounter::skip(std::int64_t clocks, const ClockUse& use) {
  add(use_, use);
  begin_ += clocks;
  others_.front().begin += clocks;
}

}  // namespace td::sim
