// SPDX-License-Identifier: Apache-2.0
// Sum of a row's products in one go, bit for bit as td1_fused_sum and td1_fused_adder form it:
// integers only. docs/microarchitecture.md has the rules.
#pragma once

#include <cstdint>

namespace td::sim {

/// What a fused sum is made for.
struct FusedShape {
  int exponent_bits;  ///< of an operand
  int fraction_bits;  ///< ... without the hidden bit
  int lanes;          ///< products of a row, 2..64

  /// Places kept below 2^E, where E is the largest exponent of the row's products: their own, and
  /// enough that all that is cut off is less than half a unit in the last place of the largest one.
  constexpr int places() const {
    int levels = 0;
    while ((1 << levels) < lanes) ++levels;
    return fraction_bits + 24 + levels;
  }
};

/// A row's sum: `sum` units of 2^(exponent - 153), where 153 makes an exponent that of a binary32
/// value with three places more.
class FusedRow {
 public:
  explicit FusedRow(FusedShape shape) : shape_(shape) {}

  /// A first look at every pair of operands: the largest exponent comes before any sum.
  void see(std::uint32_t a, std::uint32_t b);

  /// Then each of them once more, in any order.
  void add(std::uint32_t a, std::uint32_t b);

  /// The row and a binary32 value, rounded once to nearest even; a NaN is 0x7FC00000.
  std::uint32_t accumulate(std::uint32_t accumulator) const;

 private:
  struct Factor {
    int exponent;  ///< biased; 1 of a subnormal
    std::uint32_t significand;
    bool negative, special;
  };
  Factor factor(std::uint32_t bits) const;

  FusedShape shape_;
  int largest_ = 0;  ///< sum of the factors' exponents; 0 when every product is zero
  std::int64_t sum_ = 0;
  bool nan_ = false;
  bool infinite_[2] = {false, false};  ///< by sign
};

}  // namespace td::sim
