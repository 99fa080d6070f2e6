// SPDX-License-Identifier: Apache-2.0
#include "sim/arithmetic/fp8.hpp"

#include <array>
#include <cmath>

#include "sim/arithmetic/arith.hpp"

namespace td::sim {
namespace {

constexpr std::uint32_t kFp8Sign = 0x100;  // of an operand
constexpr std::uint32_t kFp8Inf = 0xf8;
constexpr std::uint32_t kFp8Nan = 0xfc;

/// Fraction bits of a format, and what its exponents are biased by.
constexpr int fraction(Fp8 kind) { return kind == Fp8::e4m3 ? 3 : 2; }
constexpr int bias(Fp8 kind) { return kind == Fp8::e4m3 ? 7 : 15; }

/// The code of the largest finite number; above it are special ones.
constexpr std::uint32_t largest_code(Fp8 kind) { return kind == Fp8::e4m3 ? 0x7e : 0x7b; }

/// The operand of a finite E4M3 number without its sign.
std::uint32_t e4m3_operand(std::uint32_t code) {
  const std::uint32_t exponent = code >> 3;
  const std::uint32_t significand = (code & 7) | (exponent != 0 ? 8 : 0);
  const int place = static_cast<int>(exponent != 0 ? exponent : 1) - 10;
  return narrow(Format::fp8, std::ldexp(static_cast<float>(significand), place));
}

/// A finite code without its sign, as the operand of the same value.
std::uint32_t operand_of(Fp8 kind, std::uint32_t code) {
  if (kind == Fp8::e5m2) return code << 1;
  static const std::array<std::uint8_t, 0x7f> table = [] {
    std::array<std::uint8_t, 0x7f> operands{};
    for (std::uint32_t one = 0; one < operands.size(); ++one) {
      operands[one] = static_cast<std::uint8_t>(e4m3_operand(one));
    }
    return operands;
  }();
  return table[code];
}

}  // namespace

std::uint32_t narrow_fp8(Fp8 kind, Overflow overflow, float value) {
  const std::uint32_t bits = detail::bits_of(value);
  const std::uint32_t sign = (bits >> 31) * kFp8Sign;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return kFp8Nan;
  const bool finite = magnitude < 0x7f800000;
  const std::uint32_t code =
      finite ? detail::round_magnitude(magnitude, bias(kind), fraction(kind)) : ~0U;
  if (code <= largest_code(kind)) return sign | operand_of(kind, code);
  if (overflow == Overflow::saturate) return sign | operand_of(kind, largest_code(kind));
  return kind == Fp8::e4m3 ? kFp8Nan : sign | kFp8Inf;
}

std::uint32_t result_bits(const Fp8Results& how, float sum) {
  // Exact, but where the result is far too small, or too large, for the format.
  const auto scaled = static_cast<float>(std::ldexp(static_cast<double>(sum), how.scale));
  const std::uint32_t code = to_code(how.kind, narrow_fp8(how.kind, how.overflow, scaled));
  if (!std::isfinite(sum)) return code;
  const std::uint32_t unbounded = narrow_fp8(how.kind, Overflow::special, scaled);
  const bool overflows = !std::isfinite(widen(Format::fp8, unbounded));
  const bool underflows = sum != 0.0F && (code & 0x7f) == 0;
  return code | (overflows ? 0x100U : 0) | (underflows ? 0x200U : 0);
}

int fp8_scale(Fp8 kind, float magnitude) {
  if (magnitude == 0.0F) return 0;
  const int scale = std::ilogb(largest(kind)) - std::ilogb(magnitude);
  return std::ldexp(magnitude, scale) > largest(kind) ? scale - 1 : scale;
}

Quantiser::Quantiser(Fp8 kind, int scale)
    : factor_(std::ldexp(1.0, scale)),
      largest_(largest(kind)),
      fraction_(fraction(kind)),
      first_normal_(128 - bias(kind)) {}

std::uint32_t from_code(Fp8 kind, std::uint32_t code) {
  const std::uint32_t sign = (code >> 7) * kFp8Sign;
  const std::uint32_t magnitude = code & 0x7f;
  if (magnitude <= largest_code(kind)) return sign | operand_of(kind, magnitude);
  return sign | (kind == Fp8::e4m3 ? kFp8Nan : magnitude << 1);
}

std::uint32_t to_code(Fp8 kind, std::uint32_t operand) {
  const std::uint32_t sign = (operand & kFp8Sign) >> 1;
  const std::uint32_t magnitude = operand & (kFp8Sign - 1);
  if (kind == Fp8::e5m2) return sign | magnitude >> 1;
  if (magnitude >= kFp8Inf) return sign | 0x7f;
  const std::uint32_t bits = detail::bits_of(widen(Format::fp8, magnitude));
  return sign | detail::round_magnitude(bits, bias(kind), fraction(kind));
}

}  // namespace td::sim
