// SPDX-License-Identifier: Apache-2.0
// Steps of many groups of streams, scheduled as many at once as the kernel takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/cycles/batch_scheduler.hpp"

namespace td::sim {

/// Of a pass with a group: all its steps, and those that are left when its last row is in the
/// staging buffers.
struct GroupSteps {
  std::uint32_t all = 0;
  std::uint32_t behind = 0;
};

/// Takes groups of tile rows' streams, one after the other, and says the steps of each in the end.
/// Groups of any length may follow each other: those of a length are scheduled together.
template <class Mask>
class GroupQueue {
 public:
  explicit GroupQueue(const Config& config) : scheduler_(config, false), workspace_(scheduler_) {}

  std::size_t size() const { return steps_.size(); }  ///< groups so far
  /// The next group: masks [tile row][row].
  void add(const Mask* masks, std::int64_t rows);

  /// Of all groups, in the order of add(). Nothing can be added any more.
  std::vector<GroupSteps> take();

 private:
  /// Groups of one length that wait.
  struct Pool {
    std::vector<Mask> masks;          ///< [group][tile row][row]
    std::vector<std::size_t> places;  ///< of each group among all
  };

  void run(Pool& pool, std::int64_t rows);

  BatchScheduler<Mask> scheduler_;
  typename BatchScheduler<Mask>::Workspace workspace_;
  std::map<std::int64_t, Pool> pools_;  ///< by length
  std::vector<GroupSteps> steps_;
};

}  // namespace td::sim
