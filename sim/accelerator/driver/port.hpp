// SPDX-License-Identifier: Apache-2.0
// What a driver needs of an accelerator and its memory, be they hardware or a model.
#pragma once

#include <cstddef>
#include <cstdint>

namespace td::sim {

class Port {
 public:
  virtual ~Port() = default;

  virtual void read_memory(std::uint64_t address, std::uint8_t* to, std::size_t bytes) = 0;
  virtual void write_memory(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) = 0;

  virtual std::uint32_t read_register(std::uint32_t offset) = 0;
  /// Whether the write was not refused.
  virtual bool write_register(std::uint32_t offset, std::uint32_t value) = 0;

  /// Returns when the interrupt is high. Throws when it never will be.
  virtual void wait_for_interrupt() = 0;
};

}  // namespace td::sim
