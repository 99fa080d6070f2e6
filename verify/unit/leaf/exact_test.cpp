// SPDX-License-Identifier: Apache-2.0
// MPFR as an oracle: itself on vectors by hand, then the reference model's arithmetic judged by it.
#include "verify/leaf/exact.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "sim/arithmetic/arith.hpp"
#include "verify/leaf/stimulus.hpp"
#include "verify/leaf/testfloat.hpp"

namespace {

using td::Format;
using td::leaf::binary32;
using td::leaf::Layout;
using td::leaf::Operands;
using td::leaf::Stimulus;
namespace exact = td::leaf::exact;

constexpr int kVectors = 300'000;

Layout layout_of(Format format) { return {td::exponent_bits(format), td::fraction_bits(format)}; }

float float_of(std::uint32_t bits) { return td::sim::widen(Format::fp32, bits); }

bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/// Vectors of the file, and those where the operation's result or flags differ.
template <class Operation>
std::pair<int, int> judge_by_hand(const std::string& name, Operation operation) {
  std::ifstream file(TD_VECTORS "/" + name);
  td::leaf::TestVectorReader reader(file, name);
  int vectors = 0;
  int wrong = 0;
  while (const auto vector = reader.next()) {
    const exact::Rounded rounded = operation(vector->operands.a, vector->operands.b);
    const exact::Rounded expected = vector->expected.value();
    const bool nan = is_nan(expected.bits) && rounded.bits == 0x7fc00000;
    wrong += !(nan || rounded.bits == expected.bits) || rounded.flags != expected.flags;
    ++vectors;
  }
  return {vectors, wrong};
}

}  // namespace

TEST_CASE("MPFR gives the results and flags that the standard demands") {
  CHECK(judge_by_hand("f32_mul.txt", [](std::uint32_t a, std::uint32_t b) {
          return exact::product(binary32, a, b);
        }) == std::pair(50, 0));
  CHECK(judge_by_hand("f32_add.txt", exact::sum) == std::pair(51, 0));
}

TEST_CASE("the model's products are MPFR's") {
  for (const Format format : {Format::fp32, Format::bf16, Format::fp16}) {
    Stimulus stimulus(layout_of(format), 1);
    int wrong = 0;
    for (int i = 0; i < kVectors; ++i) {
      const Operands pair = stimulus.next();
      const float product = td::sim::widen(format, pair.a) * td::sim::widen(format, pair.b);
      wrong += td::sim::canonical_bits(product) !=
               exact::product(layout_of(format), pair.a, pair.b).bits;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the model's sums and conversions are MPFR's") {
  Stimulus stimulus(binary32, 2);
  int sums = 0;
  int conversions = 0;
  for (int i = 0; i < kVectors; ++i) {
    const Operands pair = stimulus.next();
    const float a = float_of(pair.a);
    sums += td::sim::canonical_bits(a + float_of(pair.b)) != exact::sum(pair.a, pair.b).bits;
    for (const Format format : {Format::bf16, Format::fp16}) {
      conversions += td::sim::narrow(format, a) != exact::converted(layout_of(format), pair.a).bits;
    }
  }
  CHECK(sums == 0);
  CHECK(conversions == 0);
}

TEST_CASE("the model rounds to fp16 as MPFR does, next to every boundary") {
  const Layout half = layout_of(Format::fp16);
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    // Between two neighbours the midpoint, exact in binary32, and the numbers next to it.
    const float low = td::sim::widen(Format::fp16, bits);
    const float high = bits == 0x7bff ? 0x1p16F : td::sim::widen(Format::fp16, bits + 1);
    const std::uint32_t middle = td::sim::canonical_bits((low + high) / 2);
    for (const std::uint32_t x : {middle - 1, middle, middle + 1}) {
      wrong += td::sim::narrow(Format::fp16, float_of(x)) != exact::converted(half, x).bits;
    }
  }
  CHECK(wrong == 0);
}
