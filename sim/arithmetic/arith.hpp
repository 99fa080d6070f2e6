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

/// Fields of fp16, and what turns its exponents into those of binary32.
constexpr std::uint32_t fp16_inf = 0x7c00;
constexpr std::uint32_t fp16_nan = 0x7e00;
constexpr std::uint32_t fp16_rebias = (127 - 15) << 23;

inline float widen_fp16(std::uint32_t bits) {
  const std::uint32_t sign = (bits & 0x8000) << 16;
  const std::uint32_t magnitude = (bits & 0x7fff) << 13;
  if ((bits & fp16_inf) == fp16_inf) return float_of(sign | 0x7f800000 | magnitude);
  if ((bits & fp16_inf) != 0) return float_of(sign | (magnitude + fp16_rebias));
  // A subnormal counts units of 2^-24, and 2^-14 is the first normal number: subtract it again.
  const float first_normal = 0x1p-14F;
  const float value = float_of(magnitude + fp16_rebias + (1U << 23)) - first_normal;
  return float_of(sign | bits_of(value));
}

inline std::uint32_t narrow_fp16(std::uint32_t bits) {
  const std::uint32_t sign = (bits >> 16) & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  const std::uint32_t first_normal = 113U << 23;  // 2^-14
  const std::uint32_t overflow = 143U << 23;      // 2^16
  if (magnitude > 0x7f800000) return fp16_nan;
  if (magnitude >= overflow) return sign | fp16_inf;
  if (magnitude >= first_normal) return sign | round_off(magnitude - fp16_rebias, 13);
  // Below the normal range the whole significand moves down to units of 2^-24.
  const int places = 126 - static_cast<int>(magnitude >> 23);
  if (places > 24) return sign;
  return sign | round_off((magnitude & 0x7fffff) | 0x800000, places);
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
  if (format == Format::fp16) return detail::widen_fp16(bits);
  return detail::float_of(format == Format::bf16 ? bits << 16 : bits);
}

/// Rounds to an operand of the format, to nearest even; overflow becomes infinity, and NaN the
/// canonical one (sign clear, only the first fraction bit set).
inline std::uint32_t narrow(Format format, float value) {
  if (format == Format::fp16) return detail::narrow_fp16(detail::bits_of(value));
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
