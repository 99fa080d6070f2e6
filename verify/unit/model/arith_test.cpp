// SPDX-License-Identifier: Apache-2.0
// Judges sim/arithmetic/arith.hpp against the compiler's own conversions.
#include "sim/arithmetic/arith.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>

namespace {

using td::Format;

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool same(float x, float y) { return std::isnan(x) ? std::isnan(y) : bits_of(x) == bits_of(y); }

/// Calls `judge` with the midpoint of two positive neighbours, the floats next to it, and both
/// ends, in both signs. Rounding is monotonic, so agreement at all of these is agreement
/// everywhere.
template <class Judge>
void around(double low, double high, Judge judge) {
  const auto middle = static_cast<float>((low + high) / 2);
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float value : {static_cast<float>(low), std::nextafter(middle, 0.0F), middle,
                            std::nextafter(middle, infinity)}) {
    judge(value);
    judge(-value);
  }
}

}  // namespace

TEST_CASE("formats have the widths of their fields") {
  CHECK(td::width(Format::fp32) == 32);
  CHECK(td::width(Format::bf16) == 16);
  CHECK(td::width(Format::fp16) == 16);
  CHECK(td::exponent_bits(Format::fp16) == 5);
  CHECK(td::fraction_bits(Format::bf16) == 7);
  CHECK(std::strcmp(td::to_string(Format::fp16), "fp16") == 0);
}

TEST_CASE("bf16 widens to the upper half of a float, and back") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const float value = td::sim::widen(Format::bf16, bits);
    wrong += !same(value, float_of(bits << 16));
    const std::uint32_t back = td::sim::narrow(Format::bf16, value);
    wrong += back != (std::isnan(value) ? 0x7fc0 : bits);
  }
  CHECK(wrong == 0);
}

TEST_CASE("bf16 rounds to nearest even at every boundary") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7f80; ++bits) {
    const double low = float_of(bits << 16);
    const double high = bits == 0x7f7f ? 0x1p128 : double{float_of((bits + 1) << 16)};
    around(low, high, [&](float value) {
      const double up = high - std::fabs(double{value});
      const double down = std::fabs(double{value}) - low;
      const std::uint32_t nearest = bits + (up < down || (up == down && (bits & 1) != 0));
      const std::uint32_t expected = (std::signbit(value) ? 0x8000U : 0U) | nearest;
      wrong += td::sim::to_bf16(value) != expected;
      wrong += td::sim::narrow(Format::bf16, value) != expected;
    });
  }
  CHECK(wrong == 0);
}

#ifdef __FLT16_MAX__
TEST_CASE("fp16 widens as the compiler's _Float16 does, all patterns") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto narrow = static_cast<std::uint16_t>(bits);
    _Float16 half;
    std::memcpy(&half, &narrow, sizeof half);
    const float value = td::sim::widen(Format::fp16, bits);
    wrong += !same(value, static_cast<float>(half));
    wrong += td::sim::narrow(Format::fp16, value) != (std::isnan(value) ? 0x7e00 : bits);
  }
  CHECK(wrong == 0);
}

TEST_CASE("fp16 rounds as the compiler's _Float16 does, at every boundary and beyond") {
  int wrong = 0;
  const auto judge = [&](float value) {
    const auto half = static_cast<_Float16>(value);
    std::uint16_t expected;
    std::memcpy(&expected, &half, sizeof expected);
    wrong += td::sim::narrow(Format::fp16, value) != expected;
  };
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const double low = td::sim::widen(Format::fp16, bits);
    const double high = bits == 0x7bff ? 0x1p16 : double{td::sim::widen(Format::fp16, bits + 1)};
    around(low, high, judge);
  }
  // Every exponent of a float, far outside the range of fp16 too.
  for (std::uint32_t bits = 0; bits <= 0x7f800000; bits += 0x1555) judge(float_of(bits));
  CHECK(wrong == 0);
}
#endif

TEST_CASE("NaN is canonical in every format") {
  for (const std::uint32_t bits : {0x7fc00000U, 0x7f800001U, 0xffc00000U, 0xffffffffU}) {
    CHECK(td::sim::canonical_bits(float_of(bits)) == 0x7fc00000);
    CHECK(td::sim::narrow(Format::fp32, float_of(bits)) == 0x7fc00000);
    CHECK(td::sim::narrow(Format::bf16, float_of(bits)) == 0x7fc0);
    CHECK(td::sim::narrow(Format::fp16, float_of(bits)) == 0x7e00);
  }
  CHECK(td::sim::canonical_bits(-0.0F) == 0x80000000);
}

TEST_CASE("overflow rounds to infinity") {
  const float huge = std::numeric_limits<float>::max();
  CHECK(td::sim::to_bf16(huge) == 0x7f80);
  CHECK(td::sim::to_bf16(-huge) == 0xff80);
  CHECK(td::sim::narrow(Format::fp16, 65519.0F) == 0x7bff);
  CHECK(td::sim::narrow(Format::fp16, 65520.0F) == 0x7c00);
  CHECK(td::sim::narrow(Format::fp16, -huge) == 0xfc00);
}

TEST_CASE("zero and nonfinite operands are recognised") {
  for (const Format format : {Format::fp32, Format::bf16, Format::fp16, Format::fp8}) {
    const int places = td::width(format) - 1;
    const std::uint32_t sign = 1U << places;
    const std::uint32_t infinity = (1U << places) - (1U << td::fraction_bits(format));
    CHECK(td::sim::is_zero(format, 0));
    CHECK(td::sim::is_zero(format, sign));
    CHECK_FALSE(td::sim::is_zero(format, 1));
    CHECK_FALSE(td::sim::is_zero(format, sign | 1));
    CHECK(td::sim::is_nonfinite(format, infinity));
    CHECK(td::sim::is_nonfinite(format, sign | infinity));
    CHECK(td::sim::is_nonfinite(format, infinity | 1));
    CHECK_FALSE(td::sim::is_nonfinite(format, infinity - 1));
    CHECK_FALSE(td::sim::is_nonfinite(format, 0));
  }
}
