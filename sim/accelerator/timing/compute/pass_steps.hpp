// SPDX-License-Identifier: Apache-2.0
// How long the passes of a compute descriptor take.
#pragma once

#include <cstdint>
#include <vector>

namespace td::sim {

/// Steps of passes with side B's streams: they do not depend on side A.
struct PassSteps {
  std::vector<std::int64_t> groups;  ///< with each group of streams, line by line
  std::vector<std::int64_t> behind;  ///< by line: steps_behind() of its last group
};

/// Steps of a pass that are left when its last row is in the staging buffers of so many slots.
/// `advances`: rows that leave in each step. In dense mode rows enter one by one.
std::int64_t steps_behind(const std::vector<int>& advances, std::int64_t slots, bool dense);

}  // namespace td::sim
