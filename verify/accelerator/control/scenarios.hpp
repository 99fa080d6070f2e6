// SPDX-License-Identifier: Apache-2.0
// What control is put through.
#pragma once

#include "verify/accelerator/control/host.hpp"

namespace td::verify {

constexpr std::uint64_t kMemoryEnd = 0xff'ffff'ffc0;  // of an address of 40 bits

// The registers alone: what each reads as, all of its bits.
void every_register(Checks& check, Random& random);
// Every register: what it reads as after a reset, keeps, refuses.
void register_access(Host& host);
// Registers that cannot be written while a job runs, and a full queue.
void refusals(Host& host);
// A job that is stopped by a fault, and those behind it. The one after the error is cleared runs.
void faulty_job(Host& host, Fault fault);
// A soft reset at any time, with or without jobs.
struct ResetStates {
  int idle = 0, running = 0, failed = 0, resetting = 0;
};
void reset_at_any_time(Host& host, ResetStates& states);
// A stop, by an error or a soft reset, while the bus answers nothing: a time-out ends it.
void dead_bus(Host& host);
// Counters of what has happened since the reset.
void compare_counters(Host& host);

}  // namespace td::verify
