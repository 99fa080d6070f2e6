// SPDX-License-Identifier: Apache-2.0
// Judges sim/arithmetic/fp8.hpp against the numbers that OFP8 1.0 lists, one by one.
#include "sim/arithmetic/fp8.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "sim/arithmetic/arith.hpp"

namespace {

using td::Format;
using td::sim::Fp8;
using td::sim::Overflow;

/// Finite magnitudes by code, of a format with so many bits of fraction and this bias.
std::vector<double> magnitudes(Fp8 kind) {
  const int fraction = kind == Fp8::e4m3 ? 3 : 2;
  const int bias = kind == Fp8::e4m3 ? 7 : 15;
  const int codes = kind == Fp8::e4m3 ? 0x7f : 0x7c;
  std::vector<double> values;
  for (int code = 0; code < codes; ++code) {
    const int exponent = code >> fraction;
    const double in_places = code & ((1 << fraction) - 1);
    values.push_back(exponent == 0 ? std::ldexp(in_places, 1 - bias - fraction)
                                   : std::ldexp(std::ldexp(1.0, fraction) + in_places,
                                                exponent - bias - fraction));
  }
  return values;
}

float value_of(std::uint32_t operand) { return td::sim::widen(Format::fp8, operand); }

}  // namespace

TEST_CASE("fp8: every code has its number, and comes back from it") {
  for (const Fp8 kind : {Fp8::e4m3, Fp8::e5m2}) {
    const std::vector<double> values = magnitudes(kind);
    CHECK(values.back() == td::sim::largest(kind));
    CHECK(values[1] == std::ldexp(1.0, td::sim::smallest_exponent(kind)));
    for (std::uint32_t code = 0; code < 0x100; ++code) {
      const std::uint32_t operand = td::sim::from_code(kind, code);
      const float value = value_of(operand);
      const std::uint32_t magnitude = code & 0x7f;
      CHECK(std::signbit(value) == (code >= 0x80));
      if (magnitude < values.size()) {
        CHECK(std::fabs(value) == values[magnitude]);
      } else if (kind == Fp8::e5m2 && magnitude == 0x7c) {
        CHECK(std::isinf(value));
      } else {
        CHECK(std::isnan(value));
      }
      CHECK(td::sim::to_code(kind, operand) == code);
    }
  }
}

TEST_CASE("fp8: numbers round to the nearest, ties to the even code, and overflow as asked") {
  for (const Fp8 kind : {Fp8::e4m3, Fp8::e5m2}) {
    std::vector<double> values = magnitudes(kind);
    const auto top = static_cast<std::uint32_t>(values.size() - 1);
    values.push_back(2 * values[top] - values[top - 1]);  // where the next one would be
    for (std::uint32_t code = 0; code <= top; ++code) {
      const double middle = (values[code] + values[code + 1]) / 2;
      const auto tie = static_cast<float>(middle);
      for (const float value : {static_cast<float>(values[code]), std::nextafter(tie, 0.0F), tie,
                                std::nextafter(tie, 1e9F)}) {
        const bool up = value > tie || (value == tie && code % 2 == 1);
        const std::uint32_t nearest = code + (up ? 1 : 0);
        for (const bool negative : {false, true}) {
          const std::uint32_t sign = negative ? 0x80 : 0;
          const auto rounded = [&](Overflow overflow) {
            return td::sim::narrow_fp8(kind, overflow, negative ? -value : value);
          };
          const std::uint32_t kept = std::min(nearest, top);
          REQUIRE(rounded(Overflow::saturate) == td::sim::from_code(kind, sign | kept));
          if (nearest <= top) {
            REQUIRE(rounded(Overflow::special) == rounded(Overflow::saturate));
          } else if (kind == Fp8::e4m3) {
            REQUIRE(std::isnan(value_of(rounded(Overflow::special))));
          } else {
            REQUIRE(rounded(Overflow::special) == td::sim::from_code(kind, sign | 0x7c));
          }
        }
      }
    }
  }
}

TEST_CASE("fp8: tensors are quantised as numbers are rounded, over all exponents and specials") {
  for (const Fp8 kind : {Fp8::e4m3, Fp8::e5m2}) {
    for (const int scale : {0, 7, -9, 140, -160}) {
      const td::sim::Quantiser quantise(kind, scale);
      const auto check = [&](std::uint32_t bits) {
        const float value = td::sim::detail::float_of(bits);
        const auto scaled = static_cast<float>(std::ldexp(static_cast<double>(value), scale));
        const std::uint32_t code = td::sim::narrow_fp8(kind, Overflow::saturate, scaled);
        const std::uint32_t expected = td::sim::detail::bits_of(value_of(code));
        REQUIRE(td::sim::detail::bits_of(quantise(value)) == expected);
      };
      // The upper twelve bits have every tie; what is below decides by being there.
      for (std::uint32_t upper = 0; upper < 0x2000; ++upper) {
        for (const std::uint32_t lower : {0U, 1U, 0x3ffffU, 0x40000U, 0x40001U, 0x7ffffU}) {
          check(upper << 19 | lower);
        }
      }
    }
  }
}

TEST_CASE("fp8: infinities and NaNs, in both modes of the specification") {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto narrow = [](Fp8 kind, Overflow overflow, float value) {
    return value_of(td::sim::narrow_fp8(kind, overflow, value));
  };
  CHECK(narrow(Fp8::e4m3, Overflow::saturate, infinity) == 448.0F);
  CHECK(narrow(Fp8::e5m2, Overflow::saturate, -infinity) == -57344.0F);
  CHECK(std::isnan(narrow(Fp8::e4m3, Overflow::special, infinity)));
  CHECK(narrow(Fp8::e5m2, Overflow::special, -infinity) == -infinity);
  for (const Fp8 kind : {Fp8::e4m3, Fp8::e5m2}) {
    CHECK(td::sim::narrow_fp8(kind, Overflow::saturate, -std::nanf("")) == 0xfc);
    CHECK(td::sim::narrow_fp8(kind, Overflow::special, std::nanf("")) == 0xfc);
  }
}

TEST_CASE("fp8: the common format is as IEEE-754 would have it, all patterns") {
  for (std::uint32_t bits = 0; bits < 0x200; ++bits) {
    const std::uint32_t exponent = bits >> 3 & 31;
    const auto fraction = static_cast<float>(bits & 7);
    const float value = value_of(bits);
    CHECK(std::signbit(value) == (bits >= 0x100));
    if (exponent == 31) {
      CHECK(std::isfinite(value) == false);
      CHECK(std::isinf(value) == (fraction == 0.0F));
    } else {
      CHECK(std::fabs(value) == (exponent == 0 ? std::ldexp(fraction, -17)
                                               : std::ldexp(8 + fraction, int(exponent) - 18)));
      CHECK(td::sim::narrow(Format::fp8, value) == bits);
    }
  }
}

TEST_CASE(
    "fp8: a result is the nearest number to a sum times a power of two, and says what was lost") {
  using td::sim::Fp8Results;
  using td::sim::result_bits;
  const Fp8Results plain;
  CHECK(result_bits(plain, 0.0F) == 0x00);
  CHECK(result_bits(plain, -0.0F) == 0x80);
  CHECK(result_bits(plain, 448.0F) == 0x7e);
  CHECK(result_bits(plain, 464.0F) == 0x7e);      // a tie with the even code
  CHECK(result_bits(plain, 465.0F) == 0x17e);     // overflows
  CHECK(result_bits(plain, -0x1p-10F) == 0x280);  // a tie with zero: underflows
  CHECK(result_bits(plain, 0x1.8p-10F) == 0x01);
  CHECK(result_bits(plain, std::numeric_limits<float>::infinity()) == 0x7e);
  CHECK(result_bits(plain, std::nanf("")) == 0x7f);
  const Fp8Results scaled{Fp8::e5m2, Overflow::special, -20};
  CHECK(result_bits(scaled, 0x1p20F) == 0x3c);
  CHECK(result_bits(scaled, 0x1p36F) == 0x17c);
  CHECK(result_bits(scaled, -std::numeric_limits<float>::infinity()) == 0xfc);
  CHECK(result_bits({Fp8::e5m2, Overflow::special, 149}, 0x1p-149F) == 0x3c);  // a subnormal sum
  CHECK(result_bits({Fp8::e4m3, Overflow::special, 255}, 0x1p127F) == 0x17f);
}
