// SPDX-License-Identifier: Apache-2.0
// Operands on their way into streams and columns, for the instruction set that the including file
// is compiled for.
#pragma once

#include <algorithm>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "sim/operator/step_kernel.hpp"

namespace td::sim {

/// A struct template only so that every instruction set has functions of its own.
template <class Arch>
struct StepOperands {
  using Ints = xsimd::batch<std::int32_t, Arch>;
  using Floats = xsimd::batch<float, Arch>;

  static constexpr auto kSize = static_cast<std::int64_t>(Ints::size);

  static void gather(const std::int32_t* indices, std::int64_t count, const float* tensor,
                     float* values) {
    std::int64_t i = 0;
    for (; i + kSize <= count; i += kSize) picked(indices + i, tensor).store_unaligned(values + i);
    for (; i < count; ++i) values[i] = indices[i] < 0 ? 0.0F : tensor[indices[i]];
  }

  /// A register of elements, +0 where an index is negative.
  static Floats picked(const std::int32_t* indices, const float* tensor) {
    const Ints index = Ints::load_unaligned(indices);
    const Floats found = Floats::gather(tensor, xsimd::max(index, Ints(0)));
    return xsimd::bitwise_cast<Floats>(xsimd::bitwise_cast<Ints>(found) & ~(index >> 31));
  }

  static void load_rows(const StepPlan& plan, const std::int32_t* indices, std::int64_t count,
                        const float* tensor, float* values, std::uint64_t* masks) {
    for (std::int64_t row = 0; row < count; ++row) {
      float* to = values + row * 2 * plan.pitch;
      gather(indices + row * plan.lanes, plan.lanes, tensor, to);
      masks[row] = plan.lanes == 16 ? nonzero<16>(to, 16) : nonzero<0>(to, plan.lanes);
      std::copy_n(to, plan.lanes, to + plan.lanes);
      std::fill(to + 2 * plan.lanes, to + 2 * plan.pitch, 0.0F);
    }
  }

  /// Which values are not zero; `fixed` lanes let the compiler unroll it.
  template <int fixed>
  static std::uint64_t nonzero(const float* row, int lanes) {
    using Bits = std::conditional_t<fixed != 0, std::uint32_t, std::uint64_t>;
    Bits mask = 0;
    for (int lane = 0; lane < (fixed != 0 ? fixed : lanes); ++lane) {
      mask |= static_cast<Bits>(row[lane] != 0) << lane;
    }
    return mask;
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
