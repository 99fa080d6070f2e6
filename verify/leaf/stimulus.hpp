// SPDX-License-Identifier: Apache-2.0
// Operands that hurt: corner cases crossed with each other, biased and uniform random pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/leaf/reference.hpp"

namespace td::leaf {

/// A cell's operands; one-operand cells take the first.
struct Operands {
  std::uint32_t a;
  std::uint32_t b;
};

/// A small random generator (xorshift64*), the same on every machine.
class Random {
 public:
  /// Any seed is fine, 0 included.
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 0x1234567887654321U) {
    if (state_ == 0) state_ = 1;
  }

  /// 32 uniform bits.
  std::uint32_t bits() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::uint32_t>((state_ * 0x2545f4914f6cdd1dU) >> 32);
  }

  /// Uniform in 0..count-1.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((std::uint64_t{bits()} * count) >> 32);
  }

  /// Uniform in low..high.
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low + 1)));
  }

 private:
  std::uint64_t state_;
};

/// Values at the borders of a format, each with both signs.
std::vector<std::uint32_t> corners(Layout layout);

/// The sequence of operands for one cell: all pairs of corners, then random pairs without end.
class Stimulus {
 public:
  /// The same layout and seed give the same sequence.
  Stimulus(Layout layout, std::uint64_t seed);

  /// The next pair.
  Operands next();

 private:
  Operands biased();
  Operands near_exponents();
  Operands cancelling();
  Operands tied_sum();
  Operands tied_product();
  Operands near_product_limits();
  Operands with_subnormal();
  Operands with_corner();
  Operands tied_conversion();
  std::uint32_t make(int exponent, std::uint32_t fraction);
  std::uint32_t any() { return random_.bits() & layout_.mask(); }
  std::uint32_t short_fraction(int places);

  Layout layout_;
  int max_exponent_;  // of a finite value
  Random random_;
  std::vector<std::uint32_t> corners_;
  std::size_t crossed_ = 0;
};

}  // namespace td::leaf
