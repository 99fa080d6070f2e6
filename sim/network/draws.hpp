// SPDX-License-Identifier: Apache-2.0
// Random numbers for synthetic operands: fast, and the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace td::sim {

/// The finaliser of splitmix64: every bit of the result depends on every bit of `value`.
constexpr std::uint64_t mix_bits(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

/// Sixteen xoshiro128+ generators side by side, so that a compiler can step them with vector
/// instructions.
class Draws {
 public:
  static constexpr std::size_t kBlock = 16;

  /// The generators' states follow from the key alone.
  explicit Draws(std::uint64_t key) {
    for (auto& word : state_) {
      for (std::uint32_t& lane : word) {
        key += 0x9e3779b97f4a7c15u;
        lane = static_cast<std::uint32_t>(mix_bits(key) >> 32);
      }
    }
  }

  /// One number of each generator.
  void block(std::uint32_t (&numbers)[kBlock]) {
    auto& s = state_;
    for (std::size_t i = 0; i < kBlock; ++i) {
      numbers[i] = s[0][i] + s[3][i];
      const std::uint32_t shifted = s[1][i] << 9;
      s[2][i] ^= s[0][i];
      s[3][i] ^= s[1][i];
      s[1][i] ^= s[2][i];
      s[0][i] ^= s[3][i];
      s[2][i] ^= shifted;
      s[3][i] = (s[3][i] << 11) | (s[3][i] >> 21);
    }
  }

  /// The next number of a block that is drawn when the last one has been used up.
  std::uint32_t next() {
    if (used_ == kBlock) {
      block(block_);
      used_ = 0;
    }
    return block_[used_++];
  }

 private:
  std::uint32_t state_[4][kBlock];
  std::uint32_t block_[kBlock] = {};
  std::size_t used_ = kBlock;
};

}  // namespace td::sim
