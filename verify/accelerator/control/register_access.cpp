// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "sim/accelerator/registers.hpp"
#include "verify/accelerator/control/scenarios.hpp"

namespace td::verify {

using namespace sim::registers;

namespace {

// Registers that keep what is written, with the bits that they have.
const std::map<unsigned, std::uint32_t> kept{
    {interrupt_enable, 3},         {stop_timeout, 0xffffffff},   {window_begin_low, 0xffffffff},
    {window_begin_high, 0xff},     {window_end_low, 0xffffffff}, {window_end_high, 0xff},
    {job_address_low, 0xffffffff}, {job_address_high, 0xff}};
const std::map<unsigned, unsigned> commands{
    {control, 0}, {status, 0}, {interrupt, 0}, {job_descriptors, 0}};
constexpr unsigned kEnd = cycles_spanned_high + 4;

bool exists(unsigned offset) {
  if (offset % 4 != 0 || offset >= kEnd) return false;
  return offset <= bus || (offset >= control && offset <= stop_timeout) ||
         (offset >= window_begin_low && offset <= jobs_done) || offset >= cycles_busy_low;
}

void keeps(Host& host, unsigned offset, std::uint32_t mask) {
  auto& m = host.m;
  const auto data = static_cast<std::uint32_t>(m.random()) & mask;
  m.check(host.write(offset, data), "a register cannot be written");
  m.check(host.value(offset) == data, "a register does not keep what is written");
  m.check(!host.write(offset, ~data & mask, static_cast<unsigned>(pick(m.random, 0, 14))),
          "a write of a part is taken");
  if (mask == 0xff) m.check(!host.write(offset, 0x100), "an address beyond the bus is taken");
  m.check(host.value(offset) == data, "a write that was refused changed a register");
  m.check(host.both(offset, 0, id).data == 0x31414454, "a read beside a write");
  m.check(host.value(offset) == 0, "a write beside a read");
}

}  // namespace

void register_access(Host& host) {
  auto& m = host.m;
  m.counting = false;
  for (unsigned offset = 0; offset < kEnd + 16; ++offset) {
    const auto answer = host.read(offset);
    m.check(answer.okay == exists(offset), fmt::format("a read of {:#x}", offset));
    if (exists(offset) && offset > bus && offset < cycles_busy_low)
      m.check(answer.data == 0, fmt::format("register {:#x} after the reset", offset));
    if (kept.count(offset) == 0 && commands.count(offset) == 0)
      m.check(!host.write(offset, 0), fmt::format("a write of {:#x}", offset));
  }
  for (int i = 0; i < 100; ++i) {
    const auto far = static_cast<unsigned>(pick(m.random, kEnd, bytes - 1));
    m.check(!host.read(far).okay && !host.write(far, 0), fmt::format("offset {:#x} is known", far));
  }
  for (const auto& [offset, mask] : kept) keeps(host, offset, mask);
  m.check(host.value(version) == version_value, "the version");
  m.check(host.value(shape) ==
              (3u << 24 | 2u << 16 | 2u << 8 | m.signals.fetch_r_data.size() * 2 / m.beat_rows()),
          "the shape");
  m.check(host.value(sizes) == (1u << 25 | 16u << 16 | 4), "the sizes");
  m.check(host.value(operand_rows) == 1024 && host.value(result_words) == 1024 &&
              host.value(bank_rows) == 16,
          "the memories' sizes");
  m.check(host.value(bus) == m.beat_rows(), "rows of a beat");
  m.check(host.write(interrupt_enable, 3), "the interrupts");
  m.counting = true;
}

void refusals(Host& host) {
  auto& m = host.m;
  for (auto& engine : m.engines) engine.block(true);
  const auto some_job = [&m] { return random_job(m.random, 3, Fault::none); };
  // One runs, four wait.
  for (int i = 0; i < 5; ++i) {
    m.check(host.submit(some_job()), "a job is refused though there is room");
    host.idle(200);
  }
  m.check(host.value(status) == (4u << 8 | 1), "four jobs wait");
  m.check(!host.submit(some_job()), "a job is taken though there is no room");
  m.check(host.value(status) == (4u << 8 | 9), "the queue was full");
  m.check(host.write(interrupt, 8) && host.value(status) == (4u << 8 | 9),
          "a write of another register clears queue_full");
  m.check(host.write(status, 8), "queue_full cannot be cleared");
  m.check(host.value(status) == (4u << 8 | 1), "queue_full is cleared");
  for (const unsigned offset :
       {window_begin_low, window_begin_high, window_end_low, window_end_high}) {
    const auto was = host.value(offset);
    m.check(!host.write(offset, ~was & 0xff), "the window is written while busy");
    m.check(host.value(offset) == was, "the window changed while busy");
  }
  for (auto& engine : m.engines) engine.block(false);
  host.wait_for_jobs();
}

void compare_counters(Host& host) {
  auto& m = host.m;
  m.counting = false;
  host.idle(4);
  const auto& c = m.counted;
  m.check(host.counter(cycles_load_low) == c.cycles[0], "clocks of loads");
  m.check(host.counter(cycles_compute_low) == c.cycles[1], "clocks of computes");
  m.check(host.counter(cycles_store_low) == c.cycles[2], "clocks of stores");
  m.check(host.counter(cycles_stepped_low) == c.stepped, "clocks with steps");
  m.check(host.counter(cycles_waiting_low) == c.waiting, "clocks without");
  m.check(host.counter(cycles_filling_low) == c.filling, "clocks that wait for a fill");
  m.check(host.counter(cycles_spanned_low) == c.spanned, "clocks from first to last step");
  m.check(host.counter(bytes_read_low) == c.read, "bytes read");
  m.check(host.counter(bytes_written_low) == c.written, "bytes written");
  m.check(host.counter(results_low) == c.results, "results");
  m.check(host.counter(zero_results_low) == c.zeros, "results that are zero");
  m.check(host.counter(nonfinite_results_low) == c.nonfinite, "results that are not finite");
  const auto busy = host.counter(cycles_busy_low);
  m.check(busy >= c.cycles[0] && busy >= c.cycles[1] && busy >= c.cycles[2], "busy clocks");
  m.check(host.counter(cycles_busy_low) == busy, "busy clocks while idle");
  m.check(host.value(jobs_done) == m.jobs_done, "jobs that are done");
  m.counting = true;
}

}  // namespace td::verify
