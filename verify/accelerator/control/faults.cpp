// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/registers.hpp"
#include "verify/accelerator/control/scenarios.hpp"

namespace td::verify {

using namespace sim::registers;

namespace {

// How many jobs were taken since the reset is what the error's job is told by.
void good_job(Host& host) {
  const bool taken = host.submit(random_job(host.m.random, 4, Fault::none));
  host.m.check(taken, "a job is refused after an error or a reset");
  host.wait_for_jobs();
}

// The number of the fault's descriptor among those of its kind.
unsigned number_in_kind(const Job& job) {
  unsigned number = 0;
  for (unsigned i = 0; i < job.index; ++i)
    number += job.descriptors[i].kind == job.descriptors[job.index].kind;
  return number;
}

void prepare(Host& host, Job& job) {
  auto& m = host.m;
  if (job.fault == Fault::engine)
    m.engines[static_cast<std::size_t>(job.descriptors[job.index].kind)].fail_at(
        number_in_kind(job), job.code, pick(m.random, 0, 1) == 0);
}

void clean_up(Host& host) {
  host.m.memory.mend();
  for (auto& engine : host.m.engines) engine.fail_at(0, 0, false);
  host.window(0, kMemoryEnd);
}

}  // namespace

void faulty_job(Host& host, Fault fault) {
  auto& m = host.m;
  Job job = random_job(m.random, 10, fault);
  prepare(host, job);
  m.check(host.write(interrupt, 3), "the interrupts cannot be cleared");
  if (fault == Fault::window) {
    const auto first = host.next_address() + job.address;
    const auto bad = first + std::uint64_t{job.unit} * 64;
    // The unit lies behind the window, or the window begins behind the job's first.
    const bool before = job.unit == 0 && pick(m.random, 0, 1) == 0;
    const auto slack = static_cast<std::uint64_t>(pick(m.random, 0, 63));
    if (before)
      host.window(bad + 1 + slack, kMemoryEnd);
    else
      host.window(first, bad + slack);
  }
  const unsigned number = host.taken;
  m.check(host.submit(job), "a job is refused");
  for (int i = pick(m.random, 0, 3); i > 0; --i) host.submit(random_job(m.random, 3, Fault::none));
  host.wait_for_interrupt();
  m.check(host.value(interrupt) == 2, "the interrupt is not that of an error");
  const auto code = host.value(error_code), descriptor = host.value(error_descriptor);
  m.check(code == job.code && descriptor == job.index,
          fmt::format("error {} at descriptor {}, not {} at {}, of {}", code, descriptor, job.code,
                      job.index, job.descriptors.size()));
  m.check(host.value(error_job) == number, "the error's job");
  m.check(host.value(status) == 2 || host.value(status) == 10, "the status after an error");
  m.check(!host.submit(random_job(m.random, 3, Fault::none)), "a job is taken after an error");
  host.idle(pick(m.random, 0, 50));
  m.check(host.write(control, 2), "the error cannot be cleared");
  m.check(host.value(error_code) == 0 && (host.value(status) & 7) == 0, "the error stays");
  m.check(host.value(interrupt) == 2, "the interrupt went by itself");
  m.check(host.write(interrupt, 2) && host.value(interrupt) == 0, "the interrupt stays");
  m.check(host.write(status, 8), "the status cannot be cleared");
  clean_up(host);
  good_job(host);
}

void reset_at_any_time(Host& host, ResetStates& states) {
  auto& m = host.m;
  const auto fault = static_cast<Fault>(pick(m.random, 0, kFaults - 1));
  Job job = random_job(m.random, 8, fault == Fault::window ? Fault::none : fault);
  prepare(host, job);
  if (pick(m.random, 0, 5) > 0) {
    host.submit(job);
    for (int i = pick(m.random, 0, 5); i > 0; --i)
      host.submit(random_job(m.random, 3, Fault::none));
  }
  host.idle(pick(m.random, 0, pick(m.random, 0, 1) == 0 ? 10 : 300));
  const auto before = host.value(status);
  m.counting = false;
  host.soft_reset();
  if (pick(m.random, 0, 3) == 0) host.soft_reset();
  ++((before & 4) != 0   ? states.resetting
     : (before & 2) != 0 ? states.failed
     : (before & 1) != 0 ? states.running
                         : states.idle);
  host.idle(4);
  m.check(!m.signals.irq && m.jobs.empty(), "something is left after a soft reset");
  for (const unsigned offset :
       {status, interrupt, error_code, error_descriptor, error_job, jobs_done})
    m.check(host.value(offset) == 0, fmt::format("register {:#x} after a soft reset", offset));
  for (unsigned offset = cycles_busy_low; offset < nonfinite_results_high; offset += 8)
    m.check(host.counter(offset) == 0, "a counter after a soft reset");
  m.check(host.value(interrupt_enable) == 3, "a soft reset changed a register");
  m.counting = true;
  clean_up(host);
  good_job(host);
}

}  // namespace td::verify
