// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/host.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace td::verify {
namespace {

constexpr std::uint64_t kRegisterLimit = 1000;  // clocks of an access; a few are enough
constexpr int kResetClocks = 4;

}  // namespace

Host::Host(AcceleratorModel& model, const AxiMemorySettings& settings)
    : model_(model), memory_(settings), checker_(settings.beat_bytes) {}

void Host::reset() {
  signals_.lite = {};
  memory_.reset();
  checker_.reset();
  for (int i = 0; i < kResetClocks; ++i) {
    memory_.drive(signals_.bus);
    model_.settle(signals_, true);
    model_.rise();
  }
  for (int i = 0; i < kResetClocks; ++i) clock();
}

void Host::clock() {
  memory_.drive(signals_.bus);
  model_.settle(signals_, false);
  checker_.edge(signals_.bus);
  memory_.edge(signals_.bus);
  model_.rise();
  ++clocks_;
}

bool Host::write(unsigned offset, std::uint32_t value) {
  LiteBus& lite = signals_.lite;
  lite.aw_valid = lite.w_valid = lite.b_ready = true;
  lite.aw_addr = offset;
  lite.w_data = value;
  for (std::uint64_t i = 0; i < kRegisterLimit; ++i) {
    clock();
    const bool answered = lite.b_valid;
    if (lite.aw_ready) lite.aw_valid = false;
    if (lite.w_ready) lite.w_valid = false;
    if (!answered) continue;
    lite.b_ready = false;
    return lite.b_resp == 0;
  }
  throw std::runtime_error(fmt::format("register 0x{:x}: a write is not answered", offset));
}

std::uint32_t Host::read(unsigned offset) {
  LiteBus& lite = signals_.lite;
  lite.ar_valid = lite.r_ready = true;
  lite.ar_addr = offset;
  for (std::uint64_t i = 0; i < kRegisterLimit; ++i) {
    clock();
    if (lite.ar_ready) lite.ar_valid = false;
    if (!lite.r_valid) continue;
    lite.r_ready = false;
    if (lite.r_resp != 0) {
      throw std::runtime_error(fmt::format("register 0x{:x}: a read is refused", offset));
    }
    return lite.r_data;
  }
  throw std::runtime_error(fmt::format("register 0x{:x}: a read is not answered", offset));
}

void Host::write_wide(unsigned offset, std::uint64_t value) {
  for (unsigned half = 0; half < 2; ++half) {
    if (!write(offset + 4 * half, static_cast<std::uint32_t>(value >> (32 * half)))) {
      throw std::runtime_error(fmt::format("register 0x{:x}: a write is refused", offset));
    }
  }
}

std::uint64_t Host::read_wide(unsigned offset) {
  const std::uint64_t low = read(offset);
  return low | std::uint64_t{read(offset + 4)} << 32;
}

std::uint64_t Host::wait_for_interrupt(std::uint64_t limit) {
  const std::uint64_t begin = clocks_;
  while (!signals_.interrupt) {
    if (clocks_ - begin == limit) {
      throw std::runtime_error(fmt::format("no interrupt after {} clocks", limit));
    }
    clock();
  }
  return clocks_ - begin;
}

std::string Host::fault() const {
  if (!checker_.faults().empty()) return checker_.faults().front();
  return memory_.faults().empty() ? "" : memory_.faults().front();
}

}  // namespace td::verify
