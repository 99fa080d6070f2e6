// SPDX-License-Identifier: Apache-2.0
// Operands on their way into streams and columns, for the instruction set that the including file
// is compiled for.
#pragma once

#include <xsimd/xsimd.hpp>

#include "sim/operator/step_kernel.hpp"

namespace td::sim {

/// A struct template only so that every instruction set has functions of its own.
template <class Arch>
struct StepOperands {
  using Ints = xsimd::batch<std::int32_t, Arch>;
  using Floats = xsimd::batch<float, Arch>;

  static void gather(const std::int32_t* indices, std::int64_t count, const float* tensor,
                     float* values) {
    for (std::int64_t i = 0; i < count; ++i) {
      values[i] = indices[i] < 0 ? 0.0F : tensor[indices[i]];
    }
  }

  /// `count` is a multiple of kLaneVector.
  static void exponents(const float* values, std::int64_t count, int smallest, float* exponents) {
    for (std::int64_t i = 0; i < count; i += static_cast<std::int64_t>(Ints::size)) {
      const Floats value = Floats::load_aligned(values + i);
      const Ints field = (xsimd::bitwise_cast<Ints>(value) >> 23) & Ints(0xff);
      const Ints exponent = xsimd::max(field - Ints(127), Ints(smallest));
      xsimd::select(value == Floats(0.0F), Floats(kZeroExponent), xsimd::to_float(exponent))
          .store_aligned(exponents + i);
    }
  }
};

}  // namespace td::sim
