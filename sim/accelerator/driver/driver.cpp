// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/driver.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "base/support/error.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/registers.hpp"

namespace td::sim {

namespace {

constexpr std::uint64_t kJobAlignment = 64;  // jobs begin at multiples of this
constexpr std::uint32_t kBoth = 3;           // interrupts

std::uint32_t field(std::uint32_t value, const registers::Field& of) {
  return static_cast<std::uint32_t>(value >> of.bit & ((std::uint64_t{1} << of.bits) - 1));
}

std::vector<std::uint8_t> encoded(const Job& job) {
  std::vector<std::uint32_t> words;
  for (const Descriptor& descriptor : job) encode(descriptor, words);
  std::vector<std::uint8_t> bytes(words.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace

Driver::Driver(Port& port, const Geometry& geometry) : port_(port) {
  using namespace registers;
  check("ID", port.read_register(id), id_value);
  check("VERSION", port.read_register(version), version_value);
  const std::uint32_t tile = port.read_register(shape);
  check("SHAPE.lanes", field(tile, shape_lanes), geometry.lanes);
  check("SHAPE.rows", field(tile, shape_rows), geometry.lines);
  check("SHAPE.columns", field(tile, shape_columns), geometry.lines);
  check("SHAPE.depth", field(tile, shape_depth), geometry.depth);
  const std::uint32_t size = port.read_register(sizes);
  check("SIZES.tiles", field(size, sizes_tiles), geometry.tiles);
  check("SIZES.width", field(size, sizes_width), stored_width(geometry.format));
  check("SIZES.dense", field(size, sizes_dense), geometry.dense ? 1 : 0);
  check("SIZES.fill_rows", field(size, sizes_fill_rows), geometry.fill_rows);
  check("OPERAND_ROWS", port.read_register(operand_rows), geometry.operand_rows);
  check("RESULT_WORDS", port.read_register(result_words), geometry.result_words);
  check("BANK_ROWS", port.read_register(bank_rows), geometry.bank_rows);
  check("BUS.beat_rows", field(port.read_register(bus), bus_beat_rows), geometry.beat_rows);
  check("BUS.unpack_rows", field(port.read_register(bus), bus_unpack_rows), geometry.unpack_rows);
  port.write_register(control, 1U << control_soft_reset.bit);
  while (field(port.read_register(status), status_busy) != 0) continue;
  port.write_register(interrupt_enable, kBoth);
}

void Driver::check(const char* field, std::uint32_t value, std::int64_t expected) const {
  if (value == static_cast<std::uint32_t>(expected)) return;
  throw UserError("accelerator", field, fmt::format("{}", value), fmt::format("{}", expected));
}

void Driver::set_window(const MemorySpan& window) {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); };
  const bool accepted = port_.write_register(registers::window_begin_low, low(window.begin)) &&
                        port_.write_register(registers::window_begin_high, high(window.begin)) &&
                        port_.write_register(registers::window_end_low, low(window.end)) &&
                        port_.write_register(registers::window_end_high, high(window.end));
  if (!accepted) {
    throw UserError("accelerator", "memory window",
                    fmt::format("{:#x}..{:#x}", window.begin, window.end),
                    "addresses of its bus, while no job runs");
  }
}

std::uint64_t Driver::bytes(const std::vector<Job>& jobs) {
  std::uint64_t sum = 0;
  for (const Job& job : jobs) sum += encoded(job).size();
  return sum;
}

std::uint64_t Driver::read_wide(std::uint32_t offset) {
  const std::uint64_t low = port_.read_register(offset);
  return low | std::uint64_t{port_.read_register(offset + 4)} << 32;
}

bool Driver::queue(std::uint64_t address, std::size_t descriptors) {
  const bool accepted =
      port_.write_register(registers::job_address_low, static_cast<std::uint32_t>(address)) &&
      port_.write_register(registers::job_address_high,
                           static_cast<std::uint32_t>(address >> 32)) &&
      port_.write_register(registers::job_descriptors, static_cast<std::uint32_t>(descriptors));
  taken_ += accepted ? 1 : 0;
  return accepted;
}

/// For an interrupt. Whether no job has failed. What happens after the interrupt is cleared raises
/// it once more.
bool Driver::wait() {
  port_.wait_for_interrupt();
  const std::uint32_t what = port_.read_register(registers::interrupt);
  port_.write_register(registers::interrupt, what);
  return field(what, registers::interrupt_error) == 0;
}

JobsEnd Driver::failed(std::uint32_t taken_before) {
  JobsEnd end;
  end.error = static_cast<ErrorCode>(
      field(port_.read_register(registers::error_code), registers::error_code_code));
  end.job = port_.read_register(registers::error_job) - taken_before;
  end.descriptor = port_.read_register(registers::error_descriptor);
  port_.write_register(registers::control, 1U << registers::control_clear_error.bit);
  return end;
}

JobsEnd Driver::run(const std::vector<Job>& jobs, const MemorySpan& list) {
  if (list.begin % kJobAlignment != 0 || list.begin > list.end ||
      bytes(jobs) > list.end - list.begin) {
    throw UserError("accelerator", "descriptors", fmt::format("{:#x}..{:#x}", list.begin, list.end),
                    fmt::format("{} bytes from a multiple of {} on", bytes(jobs), kJobAlignment));
  }
  const std::uint32_t taken_before = taken_;
  const std::uint32_t done_before = port_.read_register(registers::jobs_done);
  const auto done = [&] { return port_.read_register(registers::jobs_done) - done_before; };
  std::uint64_t address = list.begin;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::vector<std::uint8_t> words = encoded(jobs[i]);
    port_.write_memory(address, words.data(), words.size());
    while (i >= done() + kJobQueue) {
      if (!wait()) return failed(taken_before);
    }
    if (!queue(address, jobs[i].size())) {
      // A job before it has failed: its interrupt is there or comes.
      while (wait()) continue;
      return failed(taken_before);
    }
    address += words.size();
  }
  while (done() < jobs.size()) {
    if (!wait()) return failed(taken_before);
  }
  // The last interrupt was not waited for where the job was done before anyone asked.
  port_.write_register(registers::interrupt, kBoth);
  return {ErrorCode::none, jobs.size(), 0};
}

}  // namespace td::sim
