// SPDX-License-Identifier: Apache-2.0
#include "sim/masks/nonzero.hpp"

namespace td::sim {

namespace {

/// Half of the format's smallest number, in binary32; 0 where binary32 has none so small.
std::uint32_t half_of_smallest(Format format) {
  constexpr int bias = 127;
  const int format_bias = (1 << (exponent_bits(format) - 1)) - 1;
  const int exponent = -format_bias - fraction_bits(format);
  if (exponent > -bias) return static_cast<std::uint32_t>(bias + exponent) << 23;
  const int subnormal = exponent + bias - 1 + 23;
  return subnormal < 0 ? 0 : std::uint32_t{1} << subnormal;
}

}  // namespace

std::uint32_t largest_zero(Dtype dtype, Format format) {
  // Half of the smallest number rounds to even, which is zero: 2^-134 for bf16, 2^-25 for fp16.
  return dtype == Dtype::f32 ? half_of_smallest(format) : half_of_smallest(format) >> 16;
}

}  // namespace td::sim
