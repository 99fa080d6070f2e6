// SPDX-License-Identifier: Apache-2.0
// Two loops for ThreadSanitizer: one whose pieces share nothing, and with an argument one whose
// pieces race. It must be content with the first and report the second.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/support/parallel.hpp"

int main(int argc, char**) {
  const bool races = argc > 1;
  constexpr std::int64_t count = 1000000;
  std::vector<std::int64_t> slots(count);
  td::parallel_for(
      count, [&](std::int64_t i) { slots[static_cast<std::size_t>(races ? i % 2 : i)] += i; });
  const auto sum = std::accumulate(slots.begin(), slots.end(), std::int64_t{0});
  return races || sum == count * (count - 1) / 2 ? 0 : 1;
}
