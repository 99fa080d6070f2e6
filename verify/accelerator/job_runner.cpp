// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/job_runner.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/registers.hpp"

namespace td::verify {
namespace {

namespace reg = sim::registers;

constexpr std::uint64_t kUnit = 64;             // bytes; jobs begin at whole units
constexpr std::uint64_t kHangLimit = 20000000;  // clocks without an interrupt

constexpr std::uint32_t mask(const reg::Field& field) {
  return ((1U << field.bits) - 1) << field.bit;
}

/// A job's descriptors in memory.
struct List {
  std::uint64_t address;
  std::size_t descriptors;
};

std::vector<std::uint32_t> words_of(const sim::Job& job) {
  std::vector<std::uint32_t> words;
  for (const sim::Descriptor& descriptor : job) sim::encode(descriptor, words);
  return words;
}

std::uint64_t lists_begin(const sim::MemoryImage& image) {
  return (image.base + image.bytes.size() + kUnit - 1) / kUnit * kUnit;
}

std::vector<List> put_lists(Host& host, const sim::MemoryImage& image,
                            const std::vector<sim::Job>& jobs) {
  std::vector<List> lists;
  std::uint64_t address = lists_begin(image);
  for (const sim::Job& job : jobs) {
    lists.push_back({address, job.size()});
    for (const std::uint32_t word : words_of(job)) {
      for (int byte = 0; byte < 4; ++byte) {
        host.memory().at(address++) = static_cast<std::uint8_t>(word >> (8 * byte));
      }
    }
  }
  return lists;
}

void check(const Host& host) {
  if (const std::string fault = host.fault(); !fault.empty()) throw std::runtime_error(fault);
}

/// Queues jobs while there is room, until all are done or one fails.
void run_lists(Host& host, const std::vector<List>& lists, JobsEnd& end) {
  const std::uint32_t before = host.read(reg::jobs_done);
  std::size_t next = 0;
  while (host.read(reg::jobs_done) - before < lists.size()) {
    if (next < lists.size()) {
      host.write_wide(reg::job_address_low, lists[next].address);
      if (host.write(reg::job_descriptors, static_cast<std::uint32_t>(lists[next].descriptors))) {
        ++next;
        continue;
      }
      host.write(reg::status, mask(reg::status_queue_full));
    }
    host.wait_for_interrupt(kHangLimit);
    const std::uint32_t what = host.read(reg::interrupt);
    host.write(reg::interrupt, what);
    if ((what & mask(reg::interrupt_error)) == 0) continue;
    end.error = host.read(reg::error_code);
    end.descriptor = host.read(reg::error_descriptor);
    host.write(reg::control, mask(reg::control_clear_error));
    return;
  }
}

}  // namespace

std::uint64_t bytes_needed(const sim::MemoryImage& image, const std::vector<sim::Job>& jobs) {
  std::uint64_t bytes = lists_begin(image) - image.base;
  for (const sim::Job& job : jobs) bytes += words_of(job).size() * 4;
  return bytes;
}

JobsEnd run_jobs(Host& host, sim::MemoryImage& image, const std::vector<sim::Job>& jobs,
                 std::uint64_t begin, std::uint64_t end) {
  for (std::size_t i = 0; i < image.bytes.size(); ++i) {
    host.memory().at(image.base + i) = image.bytes[i];
  }
  const std::vector<List> lists = put_lists(host, image, jobs);
  const std::uint64_t last = image.base + bytes_needed(image, jobs);
  host.memory().clear_watch();
  host.memory().watch_read(image.base, last);
  host.memory().watch_written(begin, end);
  host.write_wide(reg::window_begin_low, image.base);
  host.write_wide(reg::window_end_low, last);
  host.write(reg::interrupt_enable,
             mask(reg::interrupt_enable_job_done) | mask(reg::interrupt_enable_error));

  JobsEnd result;
  const std::uint64_t clocks = host.clocks();
  const std::uint64_t busy = host.read_wide(reg::cycles_busy_low);
  const std::uint64_t stepped = host.read_wide(reg::cycles_stepped_low);
  run_lists(host, lists, result);
  result.clocks = host.clocks() - clocks;
  result.busy = host.read_wide(reg::cycles_busy_low) - busy;
  result.stepped = host.read_wide(reg::cycles_stepped_low) - stepped;
  check(host);
  for (std::size_t i = 0; i < image.bytes.size(); ++i) {
    image.bytes[i] = host.memory().at(image.base + i);
  }
  return result;
}

}  // namespace td::verify
