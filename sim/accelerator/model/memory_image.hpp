// SPDX-License-Identifier: Apache-2.0
// The memory that an accelerator is connected to: bytes from a base address on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace td::sim {

struct MemoryImage {
  std::uint64_t base = 0;
  std::vector<std::uint8_t> bytes;

  /// Where that many bytes lie; null when some of them are not there.
  std::uint8_t* at(std::uint64_t address, std::uint64_t count) {
    const std::uint64_t size = bytes.size();
    if (address < base || count > size || address - base > size - count) return nullptr;
    return bytes.data() + (address - base);
  }
};

}  // namespace td::sim
