// SPDX-License-Identifier: Apache-2.0
// A ring beside std::deque.
#include "sim/accelerator/timing/ring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <random>

TEST_CASE("a ring keeps its order, wherever its first one is when it grows") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    td::sim::Ring<int> ring;
    std::deque<int> queue;
    for (int i = 0; i < 200; ++i) {
      if (random() % 5 < 3 || queue.empty()) {
        ring.push_back(i);
        queue.push_back(i);
      } else {
        ring.pop_front();
        queue.pop_front();
      }
      REQUIRE(ring.size() == queue.size());
      REQUIRE(ring.empty() == queue.empty());
      REQUIRE(std::equal(ring.begin(), ring.end(), queue.begin(), queue.end()));
      if (queue.empty()) continue;
      REQUIRE(ring.front() == queue.front());
      REQUIRE(ring.back() == queue.back());
    }
  }
}
