// SPDX-License-Identifier: Apache-2.0
// What the clocks of jobs go to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace td::sim {

/// Clocks of jobs, each of them in the first part that it fits. Engines are at work as EngineSpan
/// has it: from the first clock in which they may work on a descriptor.
struct ClockUse {
  std::int64_t steps = 0;    ///< any tile steps
  std::int64_t fill = 0;     ///< operands are brought from operand memories to scratchpads
  std::int64_t collect = 0;  ///< the compute engine is at work otherwise: passes begin or are held
                             ///< up, results are on their way to the result memories
  std::int64_t store = 0;    ///< the store engine is at work
  std::int64_t load = 0;     ///< the load engine is at work
  std::int64_t control = 0;  ///< descriptors are fetched and dispatched, jobs begin and end
};

/// One of them.
struct ClockPart {
  const char* name;  ///< in files
  const char* text;  ///< for people
  std::int64_t ClockUse::*clocks;
};

/// Every part, in the order of ClockUse: their sum is all clocks.
inline constexpr ClockPart kClockParts[] = {
    {"steps", "tiles step", &ClockUse::steps},  {"fill", "fill", &ClockUse::fill},
    {"collect", "collect", &ClockUse::collect}, {"store", "store", &ClockUse::store},
    {"load", "load", &ClockUse::load},          {"control", "control", &ClockUse::control},
};

void add(ClockUse& sum, const ClockUse& other);

/// What came between two counts.
ClockUse difference(const ClockUse& after, const ClockUse& before);

/// Counts a job's clocks. What they go to without steps is known in each clock; the steps of some
/// tiles only later.
class ClockUseCounter {
 public:
  using Part = std::int64_t ClockUse::*;

  /// A tile steps in clocks begin…end-1, none of which is counted.
  void steps(std::int64_t begin, std::int64_t end);
  /// Where no tile steps, clocks are of this part from `now` on.
  void others(std::int64_t now, Part part) {
    if (others_.back().part != part) others_.push_back({now, part});
  }
  /// Counts the clocks before `now`: all their steps are known.
  void count(std::int64_t now);

  const ClockUse& use() const { return use_; }  ///< of the clocks that are counted

  /// So many more clocks are counted, of this use. All before them are.
  void skip(std::int64_t clocks, const ClockUse& use);

 private:
  struct Stretch {
    std::int64_t begin;
    Part part;
  };

  std::size_t bit(std::int64_t clock) const { return static_cast<std::size_t>(clock - begin_); }
  std::int64_t steps_in(std::int64_t begin, std::int64_t end) const;

  ClockUse use_;
  std::int64_t begin_ = 0;            ///< the first clock that is not counted
  std::vector<std::uint64_t> steps_;  ///< a bit for each clock from there on
  std::vector<Stretch> others_ = {{0, &ClockUse::control}};
};

}  // namespace td::sim
