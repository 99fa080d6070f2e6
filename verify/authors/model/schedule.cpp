// SPDX-License-Identifier: Apache-2.0
// Promotion element by element, and the walk over what is left.
#include "verify/authors/model/schedule.hpp"

#include <algorithm>

namespace td::authors {
namespace {

/// Where an empty slot may take an element from, in the order in which it looks.
struct Option {
  std::size_t step;
  int lane_offset;
};
constexpr Option kOptions[] = {{1, -1}, {1, 0}, {1, +1}, {1, +3}, {2, -2}, {2, 0}, {2, +2}};

constexpr int kLaneOrder[kLanes] = {0, 5, 10, 1, 6, 11, 2, 7, 12, 3, 8, 13, 4, 9, 14, 15};

std::size_t wrapped(int lane) { return static_cast<std::size_t>((lane + kLanes) % kLanes); }

bool is_empty(const Row& row) { return std::find(row.begin(), row.end(), true) == row.end(); }

bool is_empty(const std::vector<Stream>& set, std::size_t t) {
  return std::all_of(set.begin(), set.end(),
                     [t](const Stream& stream) { return is_empty(stream[t]); });
}

void fill_slot(Stream& stream, std::size_t t, int lane) {
  bool& slot = stream[t][wrapped(lane)];
  for (const Option& option : kOptions) {
    if (slot || t + option.step >= stream.size()) continue;
    std::swap(slot, stream[t + option.step][wrapped(lane + option.lane_offset)]);
  }
}

}  // namespace

EmptyRows empty_rows(const std::vector<Stream>& set) {
  EmptyRows empty;
  for (std::size_t t = 0; t < set[0].size(); ++t) empty.push_back(is_empty(set, t));
  return empty;
}

EmptyRows schedule(std::vector<Stream> set, By start) {
  int skip = start == By::ours ? kFreeRows : 0;
  for (std::size_t t = 0; t < set[0].size(); ++t) {
    if (skip < kFreeRows && is_empty(set, t)) {
      ++skip;
      continue;
    }
    skip = 0;
    for (Stream& stream : set) {
      for (const int lane : kLaneOrder) fill_slot(stream, t, lane);
    }
  }
  return empty_rows(set);
}

CycleCounter::CycleCounter(const Rules& rules)
    : reset_each_pass_(rules.skip_reset == By::ours),
      start_(rules.count_start == By::ours ? kFreeRows : 0),
      skip_(start_) {}

void CycleCounter::count_pass(const EmptyRows& rows) {
  if (reset_each_pass_) skip_ = start_;
  for (const bool empty : rows) {
    if (empty && skip_ < kFreeRows) {
      ++skip_;
    } else {
      ++cycles_;
      skip_ = 0;
    }
  }
}

}  // namespace td::authors
