// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/rtl_port.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace td::verify {
namespace {

constexpr std::uint64_t kAccessLimit = 1000;      // clocks; a few are enough
constexpr std::uint64_t kHangLimit = 20'000'000;  // clocks without an interrupt
constexpr int kResetClocks = 4;

}  // namespace

RtlPort::RtlPort(AcceleratorModel& model, const AxiMemorySettings& settings)
    : model_(model),
      memory_(settings),
      checker_(settings.beat_bytes),
      registers_(settings.stall, settings.seed) {
  reset();
}

void RtlPort::reset() {
  for (int i = 0; i < kResetClocks; ++i) {
    memory_.drive(signals_.bus);
    registers_.drive(signals_.lite);
    model_.settle(signals_, true);
    model_.rise();
  }
  // The reset leaves the synchroniser some clocks later.
  for (int i = 0; i < kResetClocks; ++i) clock();
}

void RtlPort::clock() {
  memory_.drive(signals_.bus);
  registers_.drive(signals_.lite);
  model_.settle(signals_, false);
  if (!memory_.dead()) checker_.edge(signals_.bus);
  memory_.edge(signals_.bus);
  registers_.edge(signals_.lite);
  model_.rise();
  ++clocks_;
}

void RtlPort::renew_bus() {
  memory_.reset();
  checker_.reset();
  memory_.die(false);
}

void RtlPort::read_memory(std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = memory_.at(address + i);
}

void RtlPort::write_memory(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) memory_.at(address + i) = from[i];
}

void RtlPort::finish_access(std::uint32_t offset) {
  for (std::uint64_t i = 0; i < kAccessLimit; ++i) {
    clock();
    if (!registers_.writing() && !registers_.reading()) return;
  }
  throw std::runtime_error(fmt::format("register 0x{:x}: an access is not answered", offset));
}

std::uint32_t RtlPort::read_register(std::uint32_t offset) {
  registers_.read(offset);
  finish_access(offset);
  if (registers_.read_response() == 0) return registers_.data();
  throw std::runtime_error(fmt::format("register 0x{:x}: a read is refused", offset));
}

bool RtlPort::write_register(std::uint32_t offset, std::uint32_t value) {
  registers_.write(offset, value);
  finish_access(offset);
  return registers_.write_response() == 0;
}

void RtlPort::wait_for_interrupt() {
  for (std::uint64_t i = 0; i < kHangLimit; ++i) {
    if (signals_.interrupt) return;
    clock();
    if (stop_ != 0 && clocks_ >= stop_) {
      stop_ = 0;
      throw Stopped();
    }
  }
  throw std::runtime_error(fmt::format("no interrupt after {} clocks", kHangLimit));
}

std::string RtlPort::fault() const {
  for (const auto* faults : {&checker_.faults(), &memory_.faults(), &registers_.faults()}) {
    if (!faults->empty()) return faults->front();
  }
  return "";
}

}  // namespace td::verify
