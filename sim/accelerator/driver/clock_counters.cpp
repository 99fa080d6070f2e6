// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/clock_counters.hpp"

#include "sim/accelerator/registers.hpp"

namespace td::sim {
namespace {

namespace at = registers;

struct Counter {
  std::uint64_t ClockCounters::*clocks;
  unsigned offset;  ///< of the register
};

constexpr Counter kCounters[] = {{&ClockCounters::busy, at::cycles_busy_low},
                                 {&ClockCounters::load, at::cycles_load_low},
                                 {&ClockCounters::compute, at::cycles_compute_low},
                                 {&ClockCounters::store, at::cycles_store_low},
                                 {&ClockCounters::stepped, at::cycles_stepped_low},
                                 {&ClockCounters::filling, at::cycles_filling_low},
                                 {&ClockCounters::spanned, at::cycles_spanned_low}};

}  // namespace

ClockCounters& ClockCounters::operator+=(const ClockCounters& other) {
  for (const Counter& counter : kCounters) this->*counter.clocks += other.*counter.clocks;
  return *this;
}

ClockCounters& ClockCounters::operator-=(const ClockCounters& other) {
  for (const Counter& counter : kCounters) this->*counter.clocks -= other.*counter.clocks;
  return *this;
}

ClockCounters read_clocks(Driver& driver) {
  ClockCounters clocks;
  for (const Counter& counter : kCounters) {
    clocks.*counter.clocks = driver.read_wide(counter.offset);
  }
  return clocks;
}

}  // namespace td::sim
