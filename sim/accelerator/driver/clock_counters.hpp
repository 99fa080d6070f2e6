// SPDX-License-Identifier: Apache-2.0
// Where an accelerator's clocks went, by its own counters.
#pragma once

#include <cstdint>

#include "sim/accelerator/driver/driver.hpp"

namespace td::sim {

struct ClockCounters {
  std::uint64_t busy = 0;     ///< in which its jobs were under way
  std::uint64_t load = 0;     ///< ... and a load
  std::uint64_t compute = 0;  ///< ... and a compute
  std::uint64_t store = 0;    ///< ... and a store
  std::uint64_t stepped = 0;  ///< ... and a compute of which a tile stepped
  std::uint64_t filling = 0;  ///< ... and one of which none did, for want of what was filled in
  std::uint64_t spanned = 0;  ///< from the first step of each job to its last

  /// In which a compute was under way, and no tile stepped for any other reason.
  std::uint64_t other_waits() const { return compute - stepped - filling; }
  /// In which there was none.
  std::uint64_t no_compute() const { return busy - compute; }

  ClockCounters& operator+=(const ClockCounters& other);
  ClockCounters& operator-=(const ClockCounters& other);
};

/// Since the reset.
ClockCounters read_clocks(Driver& driver);

}  // namespace td::sim
