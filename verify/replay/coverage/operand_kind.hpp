// SPDX-License-Identifier: Apache-2.0
// The operands that IEEE-754 treats apart.
#pragma once

#include <array>
#include <cstdint>

#include "base/configuration/format.hpp"

namespace td::verify {

/// Index into kOperandKinds, or kOrdinary.
using OperandKind = std::uint8_t;

inline constexpr std::array<const char*, 14> kOperandKinds = {
    "+0",       "-0",       "+subnormal", "-subnormal", "+smallest normal", "-smallest normal",
    "+largest", "-largest", "+Inf",       "-Inf",       "quiet NaN",        "signalling NaN",
    "+1",       "-1"};
inline constexpr OperandKind kOrdinary = kOperandKinds.size();

inline OperandKind operand_kind(Format format, std::uint32_t bits) {
  const std::uint32_t sign = bits >> (width(format) - 1) & 1;
  const std::uint32_t magnitude = bits & ((1u << (width(format) - 1)) - 1);
  const std::uint32_t normal = 1u << fraction_bits(format);
  const std::uint32_t inf = ((1u << exponent_bits(format)) - 1) * normal;
  const std::uint32_t one = ((1u << (exponent_bits(format) - 1)) - 1) * normal;
  const auto signed_kind = [&](unsigned kind) { return static_cast<OperandKind>(kind + sign); };
  if (magnitude == 0) return signed_kind(0);
  if (magnitude < normal) return signed_kind(2);
  if (magnitude == normal) return signed_kind(4);
  const bool is_largest = format == Format::fp8 ? magnitude == 0xf6 || magnitude == 0xbe  // of OFP8
                                                : magnitude == inf - 1;
  if (is_largest) return signed_kind(6);
  if (magnitude == inf) return signed_kind(8);
  if (magnitude > inf) return (magnitude & normal >> 1) != 0 ? 10 : 11;
  return magnitude == one ? signed_kind(12) : kOrdinary;
}

inline bool is_zero(OperandKind kind) { return kind < 2; }
inline bool is_nonfinite(OperandKind kind) { return kind >= 8 && kind < 12; }

}  // namespace td::verify
