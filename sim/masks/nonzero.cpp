// SPDX-License-Identifier: Apache-2.0
#include "sim/masks/nonzero.hpp"

namespace td::sim {

std::uint32_t largest_zero(Dtype dtype, Format format) {
  // Half of the smallest number rounds to even, which is zero: 2^-134 for bf16, 2^-25 for fp16.
  if (format == Format::fp16) return dtype == Dtype::f32 ? 0x33000000 : 0x3300;
  return dtype == Dtype::f32 && format == Format::bf16 ? 0x8000 : 0;
}

}  // namespace td::sim
