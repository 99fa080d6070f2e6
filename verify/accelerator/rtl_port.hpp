// SPDX-License-Identifier: Apache-2.0
// A verilated accelerator with memory behind its bus and checkers on both ports, as its driver sees
// it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/accelerator/driver/port.hpp"
#include "verify/accelerator/accelerator_model.hpp"
#include "verify/accelerator/axi_checker.hpp"
#include "verify/accelerator/axi_lite.hpp"
#include "verify/accelerator/axi_memory.hpp"

namespace td::verify {

class RtlPort : public sim::Port {
 public:
  /// Resets the accelerator. The register port waits as often as the memory does.
  RtlPort(AcceleratorModel& model, const AxiMemorySettings& settings);

  void read_memory(std::uint64_t address, std::uint8_t* to, std::size_t bytes) override;
  void write_memory(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) override;
  /// Throws std::runtime_error when the access is not answered, or refused.
  std::uint32_t read_register(std::uint32_t offset) override;
  /// Throws std::runtime_error when the access is not answered.
  bool write_register(std::uint32_t offset, std::uint32_t value) override;
  /// Throws std::runtime_error after 20 million clocks.
  void wait_for_interrupt() override;

  /// Thrown once by wait_for_interrupt(), at the clock that stop_at() was told.
  struct Stopped {};
  void stop_at(std::uint64_t clock) { stop_ = clock; }

  /// The memory answers nothing any more; nor does anyone look at what the accelerator withdraws.
  void kill_bus() { memory_.die(true); }
  /// All behind the accelerator's bus is reset.
  void renew_bus();

  AxiMemory& memory() { return memory_; }
  std::uint64_t clocks() const { return clocks_; }
  /// The first thing that was wrong on a port; empty if nothing was.
  std::string fault() const;

 private:
  void reset();
  void clock();
  void finish_access(std::uint32_t offset);

  AcceleratorModel& model_;
  AcceleratorSignals signals_;
  AxiMemory memory_;
  AxiChecker checker_;
  AxiLiteMaster registers_;
  std::uint64_t clocks_ = 0;
  std::uint64_t stop_ = 0;  ///< 0: never
};

}  // namespace td::verify
