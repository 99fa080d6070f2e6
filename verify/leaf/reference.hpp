// SPDX-License-Identifier: Apache-2.0
// What the leaf cells must answer, from the processor's own float arithmetic.
//
// Nothing here is shared with the reference model in sim/: this is the independent second opinion.
#pragma once

#include <cstdint>

namespace td::leaf {

/// Widths of a floating point format, in bits.
struct Layout {
  int exponent;
  int fraction;

  /// Bits of a whole value.
  [[nodiscard]] constexpr int width() const { return 1 + exponent + fraction; }
  /// The exponent field's mask, not shifted; also the exponent of infinities and NaNs.
  [[nodiscard]] constexpr std::uint32_t exponent_mask() const { return (1U << exponent) - 1; }
  /// The fraction field's mask.
  [[nodiscard]] constexpr std::uint32_t fraction_mask() const { return (1U << fraction) - 1; }
  /// The mask of a whole value.
  [[nodiscard]] constexpr std::uint32_t mask() const { return 0xffffffffU >> (32 - width()); }
};

/// The results' format.
constexpr Layout binary32{8, 23};
/// What results may be rounded to.
constexpr Layout bfloat16{8, 7};

/// Exact value of a pattern: NaNs of any kind become one NaN.
float value_of(Layout layout, std::uint32_t bits);

/// Bits of the product of two operands, formed by the processor in binary32.
std::uint32_t product(Layout layout, std::uint32_t a, std::uint32_t b);

/// Bits of the sum of two binary32 values, formed by the processor.
std::uint32_t sum(std::uint32_t a, std::uint32_t b);

/// Bits of the bfloat16 value nearest to a binary32 one, found by comparing distances.
std::uint32_t nearest_bf16(std::uint32_t x);

}  // namespace td::leaf
