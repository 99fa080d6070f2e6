// SPDX-License-Identifier: Apache-2.0
// A multiplier of operands of up to 16 bits on all of their pairs, by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <vector>

#include "base/support/progress.hpp"
#include "verify/leaf/judge.hpp"
#include "verify/leaf/oracle.hpp"

namespace td::leaf {

/// Hands out the values of operand a; each thread has a cell of its own.
template <class Cell>
class AllPairs {
 public:
  static constexpr std::uint32_t values = 1U << std::min(Cell::layout.width(), 16);

  AllPairs(const Oracle<Cell>& oracle, std::uint64_t seed) : oracle_(oracle), seed_(seed) {}

  /// Pairs judged by so many threads; throws Mismatch.
  std::uint64_t run(std::uint64_t threads, Progress& progress) {
    std::vector<std::future<std::uint64_t>> workers;
    for (std::uint64_t i = 0; i < threads; ++i) {
      workers.push_back(std::async(std::launch::async, [this, i] { return work(seed_ + i); }));
    }
    std::uint64_t checked = 0;
    for (std::future<std::uint64_t>& worker : workers) {
      while (worker.wait_for(std::chrono::milliseconds(200)) != std::future_status::ready) {
        progress.show(static_cast<std::int64_t>(done_));
      }
      checked += worker.get();
    }
    return checked;
  }

 private:
  std::uint64_t work(std::uint64_t seed) {
    try {
      Judge<Cell> judge(seed);
      for (std::uint32_t a = next_++; a < values; a = next_++) {
        for (std::uint32_t b = 0; b < values; ++b) judge.check({a, b}, oracle_({a, b}));
        done_ += values;
      }
      judge.flush();
      return judge.checked();
    } catch (const Mismatch&) {
      next_ = values;  // the others stop soon
      throw;
    }
  }

  Oracle<Cell> oracle_;
  std::uint64_t seed_;
  std::atomic<std::uint32_t> next_{0};
  std::atomic<std::uint64_t> done_{0};
};

}  // namespace td::leaf
