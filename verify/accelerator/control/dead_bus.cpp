// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/registers.hpp"
#include "verify/accelerator/control/scenarios.hpp"

namespace td::verify {

using namespace sim::registers;

namespace {

constexpr std::uint32_t kResetting = 1U << status_resetting.bit;
constexpr std::uint32_t kTimedOut = 1U << status_timed_out.bit;
constexpr std::uint32_t kError = 1U << status_error.bit;
constexpr std::uint64_t kSoon = 8;  // clocks after a time-out in which the engines are reset
constexpr int kMostReads = 1000;    // reads of a register after which something hangs

void set_timeout(Host& host, std::uint64_t clocks) {
  host.m.timeout = clocks;  // the register has it before its answer is there
  host.m.check(host.write(stop_timeout, static_cast<std::uint32_t>(clocks)),
               "the time-out cannot be written");
}

void live(Machine& m, bool well) {
  const auto ill = pick(m.random, 0, 1) == 0 ? Memory::Life::deaf : Memory::Life::mute;
  m.memory.live(well ? Memory::Life::well : ill);
  for (auto& engine : m.engines) engine.die(!well);
}

void stop_by_error(Host& host) {
  auto& m = host.m;
  Job job = random_job(m.random, 1, Fault::engine);
  m.engines[static_cast<std::size_t>(job.descriptors[0].kind)].fail_at(0, job.code, false);
  host.submit(job);
  for (int i = 0; i < kMostReads && !m.signals.halt; ++i) host.idle(1);
  m.check(m.signals.halt, "an error does not stop its job");
}

void stop_by_reset(Host& host) {
  host.submit(random_job(host.m.random, 8, Fault::none));
  host.idle(pick(host.m.random, 0, 100));
  live(host.m, false);
  host.idle(pick(host.m.random, 0, 100));
  host.m.check(host.write(control, 1), "no soft reset");
}

}  // namespace

void dead_bus(Host& host) {
  auto& m = host.m;
  const auto clocks = static_cast<std::uint64_t>(pick(m.random, 1, 400));
  const bool late = pick(m.random, 0, 1) == 0;  // the host has a time-out only once it hangs
  const bool by_error = pick(m.random, 0, 1) == 0;
  m.counting = false;
  if (!late) set_timeout(host, clocks);
  if (by_error) {
    for (auto& engine : m.engines) engine.die(true);
    stop_by_error(host);
  } else {
    stop_by_reset(host);
  }
  if (late) {
    host.idle(pick(m.random, 400, 800));
    m.check((host.value(status) & (kResetting | kTimedOut)) == kResetting,
            "a stop ends though the bus owes something");
    set_timeout(host, clocks);
  }
  for (int i = 0; (host.value(status) & kResetting) != 0; ++i)
    m.check(i < kMostReads, "a dead bus holds up a stop for ever");
  m.check(late || m.halted <= clocks + kSoon, "a time-out comes late");
  m.check(host.value(status) == (by_error ? kTimedOut | kError : kTimedOut),
          "the status after a time-out");
  if (by_error) {
    host.wait_for_interrupt();
    m.check(host.value(interrupt) == 2 && host.value(error_code) != 0, "the error is not told");
  }
  // What is behind the bus is reset, too. A soft reset finds it quiet, and the bit stays.
  for (auto& engine : m.engines) engine.fail_at(0, 0, false);
  live(m, true);
  host.soft_reset();
  m.check(host.value(status) == kTimedOut, "a soft reset clears that a stop has timed out");
  m.check(host.write(interrupt, kTimedOut) && host.value(status) == kTimedOut,
          "a write of another register clears that a stop has timed out");
  m.check(host.write(status, kTimedOut) && host.value(status) == 0,
          "that a stop has timed out cannot be cleared");
  // A bus that answers in time does not feel a time-out.
  set_timeout(host, 1000000);
  m.check(host.submit(random_job(m.random, 4, Fault::none)), "a job is refused after a time-out");
  host.idle(pick(m.random, 0, 50));
  host.soft_reset();
  m.check(host.value(status) == 0, "a quiet bus has timed out");
  set_timeout(host, 0);
  m.counting = true;
  m.check(host.submit(random_job(m.random, 4, Fault::none)), "a job is refused after a reset");
  host.wait_for_jobs();
}

}  // namespace td::verify
