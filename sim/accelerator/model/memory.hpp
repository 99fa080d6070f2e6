// SPDX-License-Identifier: Apache-2.0
// What an accelerator's bus reaches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace td::sim {

class Memory {
 public:
  virtual ~Memory() = default;

  /// Whether all of these bytes are there.
  virtual bool holds(std::uint64_t address, std::uint64_t count) = 0;
  /// False where some are not.
  virtual bool read(std::uint64_t address, std::uint8_t* to, std::size_t count) = 0;
  /// The same.
  virtual bool write(std::uint64_t address, const std::uint8_t* from, std::size_t count) = 0;
};

/// Bytes from a base address on.
struct MemoryImage : Memory {
  MemoryImage() = default;
  MemoryImage(std::uint64_t begin, std::vector<std::uint8_t> all)
      : base(begin), bytes(std::move(all)) {}

  std::uint64_t base = 0;
  std::vector<std::uint8_t> bytes;

  /// Where that many bytes lie; null when some of them are not there.
  std::uint8_t* at(std::uint64_t address, std::uint64_t count) {
    const std::uint64_t size = bytes.size();
    if (address < base || count > size || address - base > size - count) return nullptr;
    return bytes.data() + (address - base);
  }

  bool holds(std::uint64_t address, std::uint64_t count) override {
    return at(address, count) != nullptr;
  }
  bool read(std::uint64_t address, std::uint8_t* to, std::size_t count) override {
    const std::uint8_t* there = at(address, count);
    if (there != nullptr) std::copy_n(there, count, to);
    return there != nullptr;
  }
  bool write(std::uint64_t address, const std::uint8_t* from, std::size_t count) override {
    std::uint8_t* there = at(address, count);
    if (there != nullptr) std::copy_n(from, count, there);
    return there != nullptr;
  }
};

}  // namespace td::sim
