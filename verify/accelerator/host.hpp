// SPDX-License-Identifier: Apache-2.0
// The chip around a verilated accelerator: memory behind its bus, checkers on it, and a processor
// that reads and writes registers and waits for the interrupt.
#pragma once

#include <cstdint>
#include <string>

#include "verify/accelerator/accelerator_model.hpp"
#include "verify/accelerator/axi_checker.hpp"
#include "verify/accelerator/axi_memory.hpp"

namespace td::verify {

class Host {
 public:
  Host(AcceleratorModel& model, const AxiMemorySettings& settings);

  /// Resets the accelerator; memory keeps its bytes.
  void reset();

  /// False when the accelerator refuses the write.
  bool write(unsigned offset, std::uint32_t value);
  std::uint32_t read(unsigned offset);
  /// A register of 64 bits, the low half at `offset`.
  void write_wide(unsigned offset, std::uint64_t value);
  std::uint64_t read_wide(unsigned offset);

  /// Clocks until the interrupt is high. Throws std::runtime_error after `limit` of them.
  std::uint64_t wait_for_interrupt(std::uint64_t limit);
  void clock();

  AxiMemory& memory() { return memory_; }
  std::uint64_t clocks() const { return clocks_; }
  /// What the bus was used for against its rules, or bytes touched that were not to be: the first.
  std::string fault() const;

 private:
  AcceleratorModel& model_;
  AcceleratorSignals signals_;
  AxiMemory memory_;
  AxiChecker checker_;
  std::uint64_t clocks_ = 0;
};

}  // namespace td::verify
