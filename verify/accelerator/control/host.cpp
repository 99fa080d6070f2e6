// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/control/host.hpp"

#include "sim/accelerator/registers.hpp"

namespace td::verify {
namespace {

constexpr int kWatchdog = 100000;  // clocks after which something hangs
constexpr double kStall = 0.4;     // of each channel, in each clock

}  // namespace

using namespace sim::registers;

Host::Host(Machine& machine) : m(machine), master_(kStall, machine.random()) {}

void Host::step() {
  auto& bus = m.signals.registers;
  master_.drive(bus);
  m.tick();
  master_.edge(bus);
  for (const auto& fault : master_.faults()) m.check(false, fault);
}

void Host::finish() {
  for (int i = 0; master_.writing() || master_.reading(); ++i) {
    m.check(i < kWatchdog, "an access is not answered");
    step();
  }
  for (const auto response : {master_.write_response(), master_.read_response()})
    m.check(response == 0 || response == 2, "a response that is none");
}

bool Host::write(unsigned offset, std::uint32_t data, unsigned strobes) {
  master_.write(offset, data, strobes);
  finish();
  return master_.write_response() == 0;
}

Host::Answer Host::read(unsigned offset) {
  master_.read(offset);
  finish();
  return {master_.read_response() == 0, master_.data()};
}

Host::Answer Host::both(unsigned written, std::uint32_t data, unsigned offset) {
  master_.write(written, data);
  const auto answer = read(offset);
  m.check(master_.write_response() == 0, "a write beside a read");
  return answer;
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
  master_.reset();
  m.reset();
  taken = 0;
}

void Host::idle(int clocks) {
  for (int i = 0; i < clocks; ++i) step();
}

}  // namespace td::verify
