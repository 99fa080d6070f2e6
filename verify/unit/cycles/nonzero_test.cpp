// SPDX-License-Identifier: Apache-2.0
// Zeros in the stored numbers are exactly those that loading in the format makes.
#include "sim/masks/nonzero.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using td::Format;
using td::sim::Dtype;

bool loads_as_zero(Dtype dtype, Format format, std::uint32_t bits) {
  td::sim::TensorView tensor;
  tensor.dtype = dtype;
  tensor.count = 1;
  tensor.data = reinterpret_cast<const unsigned char*>(&bits);
  return (tensor.bits(format, 0) & ((std::uint32_t{1} << (width(format) - 1)) - 1)) == 0;
}

bool tests_as_zero(Dtype dtype, Format format, std::uint32_t bits) {
  const auto* data = reinterpret_cast<const unsigned char*>(&bits);
  return with_nonzero_test(dtype, format, [&](const auto& nonzero) { return !nonzero(data, 0); });
}

}  // namespace

TEST_CASE("nonzero: every BF16 number, in every format") {
  for (Format format : {Format::fp32, Format::bf16, Format::fp16, Format::fp8}) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      REQUIRE(tests_as_zero(Dtype::bf16, format, bits) == loads_as_zero(Dtype::bf16, format, bits));
    }
  }
}

TEST_CASE("nonzero: F32 numbers around every power of two, in every format") {
  for (Format format : {Format::fp32, Format::bf16, Format::fp16, Format::fp8}) {
    for (std::uint32_t sign : {0U, 0x80000000U}) {
      for (std::uint32_t high = 0; high < 0x8000; ++high) {
        for (std::uint32_t low : {0U, 1U, 2U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
          const std::uint32_t bits = sign | high << 16 | low;
          REQUIRE(tests_as_zero(Dtype::f32, format, bits) ==
                  loads_as_zero(Dtype::f32, format, bits));
        }
      }
    }
  }
}
