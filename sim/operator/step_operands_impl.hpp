// SPDX-License-Identifier: Apache-2.0
// Operands on their way into streams and columns, for the instruction set that the including file is
// compiled for: plain loops, which the compiler vectorises.
#pragma once

#include <algorithm>
#include <cstring>

#include "sim/operator/step_kernel.hpp"

namespace td::sim {

/// A struct template only so that every instruction set has functions of its own.
template <class Arch>
struct StepOperands {
  static void gather(const std::int32_t* indices, std::int64_t count, const float* tensor,
                     float* values) {
    for (std::int64_t i = 0; i < count; ++i) {
      values[i] = indices[i] < 0 ? 0.0F : tensor[indices[i]];
    }
  }

  static void exponents(const float* values, std::int64_t count, int smallest, float* exponents) {
    for (std::int64_t i = 0; i < count; ++i) {
      std::int32_t magnitude;
      std::memcpy(&magnitude, values + i, sizeof magnitude);
      magnitude &= 0x7fffffff;
      const auto exponent = static_cast<float>(std::max((magnitude >> 23) - 127, smallest));
      exponents[i] = magnitude == 0 ? kZeroExponent : exponent;
    }
  }
};

}  // namespace td::sim
