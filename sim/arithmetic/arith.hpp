// SPDX-License-Identifier: Apache-2.0
// Bit-exact scalar arithmetic of the reference model: conversions between operands and binary32.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/configuration/format.hpp"

namespace td::sim {

namespace detail {

inline std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// `value` without its `places` lowest bits, rounded to nearest even; places is 1..31.
constexpr std::uint32_t round_off(std::uint32_t value, int places) {
  const std::uint32_t half = (std::uint32_t{1} << (places - 1)) - 1;
  const std::uint32_t odd = (value >> places) & 1;
  return (value + half + odd) >> places;
}

/// The bias of exponents of five bits, and what turns them into those of binary32.
constexpr int small_bias = 15;
constexpr std::uint32_t small_rebias = (127 - small_bias) << 23;

/// The value of an operand with five bits of exponent: fp16 and fp8.
inline float widen_small(std::uint32_t bits, int fraction) {
  const std::uint32_t sign_bit = std::uint32_t{0x20} << fraction;
  const std::uint32_t inf = sign_bit - (std::uint32_t{1} << fraction);
  const std::uint32_t sign = (bits & sign_bit) != 0 ? 0x80000000 : 0;
  const std::uint32_t magnitude = (bits & (sign_bit - 1)) << (23 - fraction);
  if ((bits & inf) == inf) return float_of(sign | 0x7f800000 | magnitude);
  if ((bits & inf) != 0) return float_of(sign | (magnitude + small_rebias));
  // A subnormal counts units below 2^-14, the first normal number: subtract it again.
  const float first_normal = 0x1p-14F;
  const float value = float_of(magnitude + small_rebias + (1U << 23)) - first_normal;
  return float_of(sign | bits_of(value));
}

/// A finite magnitude of binary32 in a format of these exponents and so many bits of fraction, to
/// nearest even, as if its exponents had no end above.
constexpr std::uint32_t round_magnitude(std::uint32_t magnitude, int bias, int fraction) {
  const int first_normal = 128 - bias;  // biased as binary32's
  const int exponent = static_cast<int>(magnitude >> 23);
  const int places = 23 - fraction;
  if (exponent >= first_normal) {
    return round_off(magnitude - (static_cast<std::uint32_t>(first_normal - 1) << 23), places);
  }
  // Below the normal range the whole significand moves down to units of the smallest number.
  const int down = places + first_normal - exponent;
  return down > 24 ? 0 : round_off((magnitude & 0x7fffff) | 0x800000, down);
}

inline std::uint32_t narrow_small(std::uint32_t bits, int fraction) {
  const std::uint32_t sign_bit = std::uint32_t{0x20} << fraction;
  const std::uint32_t inf = sign_bit - (std::uint32_t{1} << fraction);
  const std::uint32_t sign = (bits >> 31) * sign_bit;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return inf | std::uint32_t{1} << (fraction - 1);
  if (magnitude >= 143U << 23) return sign | inf;  // 2^16
  return sign | round_magnitude(magnitude, small_bias, fraction);
}

}  // namespace detail

/// The value's bits; every NaN becomes the canonical 0x7FC00000.
inline std::uint32_t canonical_bits(float value) {
  return value != value ? 0x7fc00000 : detail::bits_of(value);
}

/// Rounds to bfloat16, to nearest even; NaN becomes the canonical 0x7FC0.
inline std::uint16_t to_bf16(float value) {
  if (value != value) return 0x7fc0;
  return static_cast<std::uint16_t>(detail::round_off(detail::bits_of(value), 16));
}

/// The operand's exact value as a float.
inline float widen(Format format, std::uint32_t bits) {
  if (exponent_bits(format) == 5) return detail::widen_small(bits, fraction_bits(format));
  return detail::float_of(format == Format::bf16 ? bits << 16 : bits);
}

/// Rounds to an operand of the format, to nearest even; overflow becomes infinity, and NaN the
/// canonical one (sign clear, only the first fraction bit set).
inline std::uint32_t narrow(Format format, float value) {
  if (exponent_bits(format) == 5) {
    return detail::narrow_small(detail::bits_of(value), fraction_bits(format));
  }
  return format == Format::bf16 ? to_bf16(value) : canonical_bits(value);
}

/// Whether the operand is +0 or -0; subnormals are not zero.
constexpr bool is_zero(Format format, std::uint32_t bits) {
  return (bits & ((std::uint32_t{1} << (width(format) - 1)) - 1)) == 0;
}

/// Whether the operand is an infinity or a NaN.
constexpr bool is_nonfinite(Format format, std::uint32_t bits) {
  const std::uint32_t ones = (std::uint32_t{1} << exponent_bits(format)) - 1;
  return ((bits >> fraction_bits(format)) & ones) == ones;
}

}  // namespace td::sim
