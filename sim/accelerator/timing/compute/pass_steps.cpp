// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/compute/pass_steps.hpp"

#include <algorithm>
#include <numeric>

namespace td::sim {

std::int64_t steps_behind(const std::vector<int>& advances, std::int64_t slots, bool dense) {
  std::int64_t left = std::accumulate(advances.begin(), advances.end(), std::int64_t{0});
  if (dense && left > slots) return 1;
  return std::count_if(advances.begin(), advances.end(), [&](int advance) {
    const bool in_buffer = left <= slots;
    left -= advance;
    return in_buffer;
  });
}

}  // namespace td::sim
