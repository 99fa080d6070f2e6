// SPDX-License-Identifier: Apache-2.0
// The sums of a stream's steps, for the instruction set that the including file is compiled for.
#pragma once

#include <xsimd/xsimd.hpp>

#include "sim/operator/step_kernel.hpp"

namespace td::sim {

/// A struct template only so that every instruction set has functions of its own.
template <class Arch>
struct StepSumsFor {
  using Floats = xsimd::batch<float, Arch>;
  using Doubles = xsimd::batch<double, Arch>;
  using Words = xsimd::batch<std::int64_t, Arch>;
  static constexpr int kFloats = static_cast<int>(Floats::size);
  static constexpr int kDoubles = static_cast<int>(Doubles::size);

  /// `vectors` of columns that are added up side by side.
  template <int vectors>
  struct Columns {
    Floats v[static_cast<std::size_t>(vectors)];
  };

  /// The balanced tree over lanes 0…leaves-1: neighbours first. Lanes that are not there are +0,
  /// which changes nothing but the sign of a zero, and no sum of an accumulator sees that.
  template <int leaves, int vectors>
  static Columns<vectors> tree(const std::int32_t* elements, const float* factors,
                               const float* columns, const std::int64_t* offsets) {
    Columns<vectors> sum;
    if constexpr (leaves == 1) {
      const float* column = columns + offsets[*elements];
      const Floats factor(*factors);
      for (int i = 0; i < vectors; ++i) {
        sum.v[i] = Floats::load_aligned(column + i * kFloats) * factor;
      }
    } else {
      constexpr int half = leaves / 2;
      sum = tree<half, vectors>(elements, factors, columns, offsets);
      const auto right = tree<half, vectors>(elements + half, factors + half, columns, offsets);
      for (int i = 0; i < vectors; ++i) sum.v[i] = sum.v[i] + right.v[i];
    }
    return sum;
  }

  template <int leaves, int vectors>
  static void add_steps(const StepPlan& plan, const StepSums& sums, std::int64_t column) {
    std::int64_t turn = sums.turn % plan.accumulators;
    for (std::int64_t step = 0; step < sums.steps; ++step) {
      float* accumulator = sums.accumulators + turn * sums.stride + column;
      turn = turn + 1 == plan.accumulators ? 0 : turn + 1;
      if (sums.used[step] == 0) continue;  // all products +0
      const std::int64_t at = step * plan.pitch;
      const auto row = tree<leaves, vectors>(sums.elements + at, sums.factors + at,
                                             sums.columns + column, sums.offsets);
      for (int i = 0; i < vectors; ++i) {
        const Floats old = Floats::load_aligned(accumulator + i * kFloats);
        (old + row.v[i]).store_aligned(accumulator + i * kFloats);
      }
    }
  }

  template <int leaves>
  static void add_columns(const StepPlan& plan, const StepSums& sums) {
    std::int64_t column = 0;
    for (; column + 4 * kFloats <= sums.stride; column += 4 * kFloats) {
      add_steps<leaves, 4>(plan, sums, column);
    }
    for (; column + 2 * kFloats <= sums.stride; column += 2 * kFloats) {
      add_steps<leaves, 2>(plan, sums, column);
    }
    for (; column < sums.stride; column += kFloats) add_steps<leaves, 1>(plan, sums, column);
  }

  /// 2^exponent; exponents are whole numbers of -1022…1023.
  static Doubles power(Doubles exponent) {
    const Doubles biased = exponent + Doubles(0x1.8p52 + 1023);  // the whole number in the low bits
    return xsimd::bitwise_cast<Doubles>(xsimd::bitwise_cast<Words>(biased) << 52);
  }

  /// FusedRow's halves(): rounded down to whole units, plus half a unit where anything was lost.
  static Doubles jammed(Doubles value) {
    const Doubles kept = xsimd::floor(value);
    return xsimd::select(kept == value, kept, kept + Doubles(0.5));
  }

  /// The largest exponent of a step's products, in each of kFloats columns.
  static void largest_exponents(const StepPlan& plan, const StepSums& sums, std::int64_t step,
                                std::int64_t column, float* exponents) {
    const std::int64_t at = step * plan.pitch;
    Floats largest(2 * kZeroExponent);
    for (std::uint64_t left = sums.used[step]; left != 0; left &= left - 1) {
      const std::int64_t lane = at + __builtin_ctzll(left);
      const float* own = sums.column_exponents + sums.offsets[sums.elements[lane]] + column;
      largest =
          xsimd::max(largest, Floats::load_aligned(own) + Floats(sums.factor_exponents[lane]));
    }
    largest.store_aligned(exponents);
  }

  /// The sum of a step's products in units of 2^(unit - 153), cut as FusedRow::add() cuts: exact in
  /// binary64, whose 53 bits hold it.
  static Doubles fused_row(const StepPlan& plan, const StepSums& sums, std::int64_t step,
                           std::int64_t column, Doubles unit) {
    const std::int64_t at = step * plan.pitch;
    const Doubles scale = power(Doubles(153.0) - unit);
    Doubles sum(0.0);
    for (std::uint64_t left = sums.used[step]; left != 0; left &= left - 1) {
      const std::int64_t lane = at + __builtin_ctzll(left);
      const Doubles value =
          Doubles::load_unaligned(sums.columns + sums.offsets[sums.elements[lane]] + column);
      sum = sum + xsimd::trunc(value * Doubles(double{sums.factors[lane]}) * scale);
    }
    return sum;
  }

  /// FusedRow::accumulate(): both cut to units of the larger last place, and rounded once.
  static void accumulate(Doubles row, Doubles unit, float* accumulator) {
    const Doubles old = Doubles::load_unaligned(accumulator);
    const Words field = (xsimd::bitwise_cast<Words>(old) >> 52) & Words(0x7ff);
    const Doubles own = xsimd::min(
        xsimd::max(xsimd::to_float(field) - Doubles(1023.0 - 127), Doubles(1.0)), Doubles(255.0));
    const Doubles common = xsimd::max(unit, own);
    const Doubles scale = power(Doubles(153.0) - common);
    const Doubles held = jammed(xsimd::abs(old) * scale);
    const Doubles sum =
        jammed(row * power(unit - common)) + xsimd::select(old < Doubles(0.0), -held, held);
    (sum * power(common - Doubles(153.0))).store_unaligned(accumulator);
  }

  /// One step, in kFloats columns.
  static void fuse_step(const StepPlan& plan, const StepSums& sums, std::int64_t step,
                        std::int64_t column, float* accumulator) {
    alignas(64) float exponents[Floats::size];
    largest_exponents(plan, sums, step, column, exponents);
    for (int half = 0; half < kFloats; half += kDoubles) {
      const Doubles largest = Doubles::load_unaligned(exponents + half);
      // With no product but zeros FusedRow counts the row as of exponent 0.
      const Doubles unit = xsimd::select(largest < Doubles(double{kZeroExponent} / 2), Doubles(0.0),
                                         largest + Doubles(153.0 - plan.places));
      accumulate(fused_row(plan, sums, step, column + half, unit), unit, accumulator + half);
    }
  }

  static void fuse_columns(const StepPlan& plan, const StepSums& sums) {
    for (std::int64_t column = 0; column < sums.stride; column += kFloats) {
      std::int64_t turn = sums.turn % plan.accumulators;
      for (std::int64_t step = 0; step < sums.steps; ++step) {
        float* accumulator = sums.accumulators + turn * sums.stride + column;
        turn = turn + 1 == plan.accumulators ? 0 : turn + 1;
        if (sums.used[step] != 0) fuse_step(plan, sums, step, column, accumulator);
      }
    }
  }

  static void run(const StepPlan& plan, const StepSums& sums) {
    if (plan.places != 0) return fuse_columns(plan, sums);
    switch (plan.leaves) {
      case 2:
        return add_columns<2>(plan, sums);
      case 4:
        return add_columns<4>(plan, sums);
      case 8:
        return add_columns<8>(plan, sums);
      case 16:
        return add_columns<16>(plan, sums);
      case 32:
        return add_columns<32>(plan, sums);
      default:
        return add_columns<64>(plan, sums);
    }
  }
};

}  // namespace td::sim
