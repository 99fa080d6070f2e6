// SPDX-License-Identifier: Apache-2.0
// What is known of the memory behind an accelerator's bus.
#pragma once

#include <cstddef>
#include <cstdint>

namespace td::sim {

/// Bytes a clock that a memory with a bandwidth moves, at least: what a job's last beat owes is
/// paid before the next job's first one, whatever the latency.
constexpr double kLeastBandwidth = 8;
constexpr double kMostBandwidth = 1000;

/// A memory that moves a beat in each clock, each way, and answers in order. One with a bandwidth
/// moves none while it owes clocks to those before; of two at once the read goes first.
struct MemoryTiming {
  std::int64_t latency = 20;   ///< clocks from an address to its first beat, or to the answer
  std::size_t bursts = 64;     ///< on the way, each way
  std::int64_t bandwidth = 0;  ///< bytes in 1000 clocks, read and written together; 0: no limit

  /// Clocks in which so many bytes may move, about; 0 without a limit.
  std::int64_t clocks_of(std::int64_t bytes) const {
    return bandwidth == 0 ? 0 : (bytes * 1000 + bandwidth - 1) / bandwidth;
  }
};

}  // namespace td::sim
