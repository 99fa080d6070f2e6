// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/control/host.hpp"

#include "sim/accelerator/registers.hpp"

namespace td::verify {
namespace {

constexpr int kWatchdog = 100000;  // clocks after which something hangs

}  // namespace

using namespace sim::registers;

void Host::begin_write(unsigned offset, std::uint32_t data, unsigned strobes) {
  m.signals.aw_addr = offset;
  m.signals.w_data = data;
  m.signals.w_strb = strobes;
  aw_delay_ = pick(m.random, 0, 4) - 2;
  w_delay_ = pick(m.random, 0, 4) - 2;
  aw_delay_ = aw_delay_ < 0 ? 0 : aw_delay_;
  w_delay_ = w_delay_ < 0 ? 0 : w_delay_;
  b_due_ = true;
}

void Host::begin_read(unsigned offset) {
  m.signals.ar_addr = offset;
  ar_delay_ = pick(m.random, 0, 2);
  r_due_ = true;
}

// A channel: offered once its delay is over, until it is taken.
void Host::step() {
  auto& s = m.signals;
  s.aw_valid = aw_delay_ == 0;
  s.w_valid = w_delay_ == 0;
  s.ar_valid = ar_delay_ == 0;
  s.b_ready = pick(m.random, 0, 1) == 0;
  s.r_ready = pick(m.random, 0, 1) == 0;
  m.tick();
  m.check(!s.b_valid || (b_due_ && aw_delay_ < 0 && w_delay_ < 0), "an answer to no write");
  m.check(!s.r_valid || (r_due_ && ar_delay_ < 0), "an answer to no read");
  const auto pass = [](int& delay, bool ready) {
    if (delay > 0 || (delay == 0 && ready)) --delay;
  };
  pass(aw_delay_, s.aw_ready);
  pass(w_delay_, s.w_ready);
  pass(ar_delay_, s.ar_ready);
  m.check(!r_waits_ || (s.r_valid && s.r_data == r_data_ && (s.r_resp == 0) == r_okay_),
          "an answer to a read changed");
  r_waits_ = s.r_valid && !s.r_ready;
  if (s.r_valid) {
    r_okay_ = s.r_resp == 0;
    r_data_ = s.r_data;
  }
  if (s.b_valid && s.b_ready) {
    b_due_ = false;
    b_okay_ = s.b_resp == 0;
    m.check(s.b_resp == 0 || s.b_resp == 2, "a response that is none");
  }
  if (s.r_valid && s.r_ready) {
    r_due_ = false;
    m.check(s.r_resp == 0 || s.r_resp == 2, "a response that is none");
  }
}

void Host::finish() {
  for (int i = 0; b_due_ || r_due_; ++i) {
    m.check(i < kWatchdog, "an access is not answered");
    step();
  }
}

bool Host::write(unsigned offset, std::uint32_t data, unsigned strobes) {
  begin_write(offset, data, strobes);
  finish();
  return b_okay_;
}

Host::Answer Host::read(unsigned offset) {
  begin_read(offset);
  finish();
  return {r_okay_, r_data_};
}

Host::Answer Host::both(unsigned written, std::uint32_t data, unsigned offset) {
  begin_write(written, data, 15);
  begin_read(offset);
  finish();
  m.check(b_okay_, "a write beside a read");
  return {r_okay_, r_data_};
}

std::uint32_t Host::value(unsigned offset) {
  const auto answer = read(offset);
  m.check(answer.okay, fmt::format("register {:#x} cannot be read", offset));
  return answer.data;
}

std::uint64_t Host::counter(unsigned offset) {
  const std::uint64_t low = value(offset);
  return low | std::uint64_t{value(offset + 4)} << 32;
}

void Host::window(std::uint64_t begin, std::uint64_t end) {
  bool okay = write(window_begin_low, static_cast<std::uint32_t>(begin));
  okay &= write(window_begin_high, static_cast<std::uint32_t>(begin >> 32));
  okay &= write(window_end_low, static_cast<std::uint32_t>(end));
  okay &= write(window_end_high, static_cast<std::uint32_t>(end >> 32));
  m.check(okay, "the window is refused");
}

std::uint64_t Host::next_address() const {
  return 0x12'0000'0000 + std::uint64_t{jobs_ * 0x9e3779b9u >> 14} * 0x4000;
}

bool Host::submit(Job job) {
  job.address += next_address();
  ++jobs_;
  m.check(write(job_address_low, static_cast<std::uint32_t>(job.address)),
          "the address is refused");
  m.check(write(job_address_high, static_cast<std::uint32_t>(job.address >> 32)),
          "the address is refused");
  m.expect(job);
  const bool okay = write(job_descriptors, static_cast<std::uint32_t>(job.descriptors.size()));
  if (okay)
    ++taken;
  else
    m.refused();
  return okay;
}

void Host::wait_for_interrupt() {
  for (int i = 0; !m.signals.irq; ++i) {
    m.check(i < kWatchdog, "the interrupt does not come");
    step();
  }
  ++interrupts;
}

void Host::wait_for_jobs() {
  for (unsigned seen = value(jobs_done); seen != m.jobs_done || !m.jobs.empty();
       seen = value(jobs_done)) {
    m.check(seen <= m.jobs_done, "more jobs are done than are");
    wait_for_interrupt();
    m.check(value(interrupt) == 1, "the interrupt is not that of a job");
    m.check(write(interrupt, 1), "an interrupt cannot be cleared");
  }
}

void Host::soft_reset() {
  m.check(write(control, 1), "no soft reset");
  for (int i = 0; (value(status) & 1) != 0; ++i)
    m.check(i < kWatchdog, "a soft reset does not end");
  taken = 0;
  m.jobs_done = 0;
  m.counted = {};
}

void Host::reset() {
  m.counting = false;
  m.reset();
  taken = 0;
}

void Host::idle(int clocks) {
  for (int i = 0; i < clocks; ++i) step();
}

}  // namespace td::verify
