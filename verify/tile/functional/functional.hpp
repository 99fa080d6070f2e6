// SPDX-License-Identifier: Apache-2.0
// The floating-point operators in C, for simulations that trade gate-like evaluation for speed.
//
// Verilated code of the modules in this folder calls these. The formats' widths arrive as
// constants, so that after inlining only the native operation is left.
#pragma once

#include <cstdint>

#include "sim/arithmetic/arith.hpp"

namespace td::functional {

/// The format whose exponent and fraction have these widths in bits.
constexpr Format format_of(unsigned exponent, unsigned fraction) {
  constexpr auto is = [](Format format, unsigned exponent_bits, unsigned fraction_bits) {
    return traits(format).exponent_bits == static_cast<int>(exponent_bits) &&
           traits(format).fraction_bits == static_cast<int>(fraction_bits);
  };
  return is(Format::fp16, exponent, fraction)   ? Format::fp16
         : is(Format::fp8, exponent, fraction)  ? Format::fp8
         : is(Format::bf16, exponent, fraction) ? Format::bf16
                                                : Format::fp32;
}

/// Bits of the binary32 product of two operands of the format with these widths.
inline std::uint32_t mul(std::uint32_t a, std::uint32_t b, unsigned exponent, unsigned fraction) {
  const Format format = format_of(exponent, fraction);
  return sim::canonical_bits(sim::widen(format, a) * sim::widen(format, b));
}

/// Bits of the binary32 sum.
inline std::uint32_t add(std::uint32_t a, std::uint32_t b) {
  return sim::canonical_bits(sim::widen(Format::fp32, a) + sim::widen(Format::fp32, b));
}

/// The bfloat16 value nearest to a binary32 one.
inline std::uint32_t to_bf16(std::uint32_t x) { return sim::to_bf16(sim::widen(Format::fp32, x)); }

}  // namespace td::functional
