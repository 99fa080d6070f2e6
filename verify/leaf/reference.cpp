// SPDX-License-Identifier: Apache-2.0
// What the leaf cells must answer, from the processor's own float arithmetic.
#include "verify/leaf/reference.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace td::leaf {

namespace {

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Processors differ in the NaN they make (x86 sets its sign); the hardware has one.
std::uint32_t bits_of(float value) {
  if (std::isnan(value)) return 0x7fc00000;
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The definition of a floating point number, by fields.
float by_definition(Layout layout, std::uint32_t bits) {
  const std::uint32_t field = (bits >> layout.fraction) & layout.exponent_mask();
  const std::uint32_t fraction = bits & layout.fraction_mask();
  const int bias = (1 << (layout.exponent - 1)) - 1;
  float value;
  if (field == layout.exponent_mask()) {
    value = fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                          : std::numeric_limits<float>::infinity();
  } else {
    const std::uint32_t hidden = field != 0 ? 1U << layout.fraction : 0;
    const int exponent = field != 0 ? static_cast<int>(field) : 1;
    value = std::ldexp(static_cast<float>(hidden | fraction), exponent - bias - layout.fraction);
  }
  return (bits >> (layout.width() - 1)) != 0 ? -value : value;
}

/// Every value of a 16-bit format: the definition is too slow for each vector.
std::vector<float> table_of(Layout layout) {
  std::vector<float> table;
  for (std::uint32_t bits = 0; bits <= layout.mask(); ++bits) {
    table.push_back(by_definition(layout, bits));
  }
  return table;
}

}  // namespace

float value_of(Layout layout, std::uint32_t bits) {
  if (layout.width() == 32) return float_of(bits);
  static const std::vector<float> table = table_of(layout);
  static const Layout tabulated = layout;
  return tabulated.fraction == layout.fraction ? table[bits] : by_definition(layout, bits);
}

std::uint32_t product(Layout layout, std::uint32_t a, std::uint32_t b) {
  return bits_of(value_of(layout, a) * value_of(layout, b));
}

std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return bits_of(float_of(a) + float_of(b)); }

std::uint32_t nearest_bf16(std::uint32_t x) {
  const double value = float_of(x & 0x7fffffff);
  const std::uint32_t sign = (x >> 16) & 0x8000;
  if (std::isnan(value)) return 0x7fc0;
  if (std::isinf(value)) return sign | 0x7f80;
  const std::uint32_t below = (x >> 16) & 0x7fff;
  // The neighbour above the largest finite number is where the next one would be.
  const double above = below == 0x7f7f ? 0x1p128 : double{float_of((below + 1) << 16)};
  const double down = value - double{float_of(below << 16)};
  const double up = above - value;
  const bool away = up < down || (up == down && (below & 1) != 0);
  return sign | (away ? below + 1 : below);
}

}  // namespace td::leaf
