// SPDX-License-Identifier: Apache-2.0
// The two formats of OFP8 (OCP 8-bit Floating Point Specification, 1.0), and the one that a tile
// turns both into: Format::fp8, with five bits of exponent and three of fraction.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/configuration/format.hpp"
#include "sim/arithmetic/arith.hpp"

namespace td::sim {

/// E4M3 has no infinities, and one NaN of each sign; E5M2 is like IEEE-754's formats.
enum class Fp8 { e4m3, e5m2 };

/// The name that reports use.
constexpr const char* to_string(Fp8 kind) { return kind == Fp8::e4m3 ? "E4M3" : "E5M2"; }

/// The largest finite number.
constexpr float largest(Fp8 kind) { return kind == Fp8::e4m3 ? 448.0F : 57344.0F; }

/// Exponent of the smallest number, a subnormal: 2^-9 or 2^-16.
constexpr int smallest_exponent(Fp8 kind) { return kind == Fp8::e4m3 ? -9 : -16; }

/// What becomes of a number whose magnitude rounds to more than the largest: the largest (the
/// specification's saturating mode), or an infinity or, in E4M3, a NaN.
enum class Overflow { saturate, special };

/// Rounds to a number of the format, to nearest even; the result is an operand of Format::fp8. NaN
/// becomes the one with sign clear and only the first fraction bit set.
std::uint32_t narrow_fp8(Fp8 kind, Overflow overflow, float value);

/// How sums become results in OFP8: times 2^scale, then rounded.
struct Fp8Results {
  Fp8 kind = Fp8::e4m3;
  Overflow overflow = Overflow::saturate;
  int scale = 0;  ///< -256..255
};

/// The code of a sum's result, and above it, in bits 8 and 9, whether a finite sum was beyond the
/// largest number, and whether one other than zero became zero; as td1_to_fp8.v forms them.
std::uint32_t result_bits(const Fp8Results& how, float sum);

/// The largest power of two, as its exponent, with which a magnitude is still a number of the
/// format; 0 for a magnitude of 0.
int fp8_scale(Fp8 kind, float magnitude);

/// Turns numbers into those of a format, in binary32: times 2^scale, then rounded; beyond the
/// largest number they are that.
class Quantiser {
 public:
  Quantiser(Fp8 kind, int scale);

  /// As narrow_fp8() saturates, without a branch, so that loops over it become SIMD.
  float operator()(float value) const {
    // Exact, but where the result is far too small, or too large, for the format.
    const auto scaled = static_cast<float>(value * factor_);
    const float magnitude = std::min(std::fabs(scaled), 2 * largest_);
    // The sum with a number whose last place is the format's rounds there, to nearest even.
    const int exponent =
        std::max(static_cast<int>(detail::bits_of(magnitude) >> 23), first_normal_);
    const auto last = static_cast<std::uint32_t>(exponent + 23 - fraction_);
    const float place = detail::float_of(last << 23);
    const float rounded = std::min(magnitude + place - place, largest_);
    return value != value ? detail::float_of(0x7fc00000) : std::copysign(rounded, scaled);
  }

 private:
  double factor_;
  float largest_;
  int fraction_, first_normal_;  ///< biased as binary32's exponents
};

/// An operand of Format::fp8 from an eight-bit code, as td1_from_fp8.v turns it.
std::uint32_t from_code(Fp8 kind, std::uint32_t code);

/// The code of an operand that is a number of the format: NaNs become canonical, sign kept.
std::uint32_t to_code(Fp8 kind, std::uint32_t operand);

}  // namespace td::sim
