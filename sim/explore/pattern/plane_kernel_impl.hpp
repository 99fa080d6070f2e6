// SPDX-License-Identifier: Apache-2.0
// Body of the plane kernel, for the instruction set that the including file is compiled for.
#pragma once

#include <xsimd/xsimd.hpp>

#include "sim/explore/pattern/plane_kernel.hpp"

namespace td::sim {

/// A struct template only so that every instruction set has functions of its own.
template <class Arch>
struct PlaneKernelFor {
  using Plane = xsimd::batch<std::uint64_t, Arch>;  ///< a bit for every group
  static constexpr int kWords = static_cast<int>(Plane::size);
  static constexpr int kWidth = 64 * kWords;
  static constexpr int kCounterBits = 32;

  static Plane zeros() { return Plane(std::uint64_t{0}); }
  static Plane load(const std::uint64_t* words) { return Plane::load_aligned(words); }
  static void store(std::uint64_t* words, Plane plane) { plane.store_aligned(words); }
  static Plane without(Plane x, Plane y) { return x & ~y; }

  PlaneKernelFor(const BatchPlan& plan, const PlaneBatch& batch, std::uint64_t* window)
      : plan_(plan), batch_(batch), window_(window), row_words_(plan.lanes * kWords) {
    for (Plane& plane : skip_) plane = zeros();
    for (Plane& plane : cycles_) plane = zeros();
  }

  std::uint64_t* row(int r, int slot) const {
    return window_ + (std::int64_t{r} * plan_.depth + slot) * row_words_;
  }

  void load_row(std::int64_t t, int slot) {
    const std::int64_t step = std::int64_t{plan_.tile_rows} * row_words_;
    for (int r = 0; r < plan_.tile_rows; ++r) {
      std::uint64_t* to = row(r, slot);
      const std::uint64_t* from = batch_.planes + t * step + r * row_words_;
      for (int i = 0; i < row_words_; i += kWords) {
        store(to + i, t < batch_.rows ? load(from + i) : zeros());
      }
    }
  }

  /// The lanes of a tile row choose, one after the other. The first option is a lane's own element
  /// of the row in use, which no other lane reaches: nobody looks at it again.
  void choose(int r, int phase, Plane active) {
    std::uint64_t* window = row(r, 0);
    const std::uint32_t* element = plan_.elements + phase * plan_.lanes * plan_.options;
    for (int i = 0; i < plan_.lanes; ++i) {
      Plane free = without(active, load(window + *element++ * kWords));
      for (int p = 1; p < plan_.options; ++p) {
        std::uint64_t* at = window + *element++ * kWords;
        const Plane effectual = load(at);
        store(at, without(effectual, free));
        free = without(free, effectual);
      }
    }
  }

  /// One row of the walk: groups that have it and have not skipped it take a cycle.
  void step(std::int64_t t, int phase) {
    const int depth = plan_.depth;
    const Plane active = without(load(batch_.alive + t * kWords), skip_[1]);
    Plane all_empty[kBatchDepth];  // [k]: rows 1…k of the window are empty in all tile rows
    for (int k = 1; k < depth; ++k) all_empty[k] = active;
    for (int r = 0; r < plan_.tile_rows; ++r) {
      choose(r, phase, active);
      Plane left = zeros();
      for (int k = 1; k < depth; ++k) {
        const std::uint64_t* ahead = row(r, (phase + k) % depth);
        for (int i = 0; i < row_words_; i += kWords) left = left | load(ahead + i);
        all_empty[k] = without(all_empty[k], left);
      }
    }
    for (int k = 1; k < depth; ++k) skip_[k] = all_empty[k] | without(skip_[k + 1], active);
    Plane carry = active;
    for (int i = 0; i < kCounterBits && (t + 1) >> i != 0; ++i) {  // at most t + 1 cycles
      const Plane next = cycles_[i] & carry;
      cycles_[i] = cycles_[i] ^ carry;
      carry = next;
    }
  }

  void read_cycles(std::uint32_t* cycles) const {
    for (int g = 0; g < kWidth; ++g) cycles[g] = 0;
    alignas(64) std::uint64_t words[Plane::size];
    for (int i = 0; i < kCounterBits && batch_.rows >> i != 0; ++i) {
      store(words, cycles_[i]);
      for (int g = 0; g < kWidth; ++g) {
        cycles[g] |= static_cast<std::uint32_t>(words[g / 64] >> (g % 64) & 1) << i;
      }
    }
  }

  // NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes there.
  static void run(const BatchPlan& plan, const PlaneBatch& batch, std::uint64_t* scratch,
                  std::uint32_t* cycles) {
    PlaneKernelFor kernel(plan, batch, scratch);
    for (int k = 0; k + 1 < plan.depth; ++k) kernel.load_row(k, k);
    int phase = 0;
    for (std::int64_t t = 0; t < batch.rows; ++t) {
      kernel.load_row(t + plan.depth - 1, (phase + plan.depth - 1) % plan.depth);
      kernel.step(t, phase);
      if (++phase == plan.depth) phase = 0;
    }
    kernel.read_cycles(cycles);
  }

  const BatchPlan& plan_;
  const PlaneBatch& batch_;
  std::uint64_t* window_;  ///< [tile row][row modulo depth][lane] planes
  int row_words_;
  Plane skip_[kBatchDepth + 1];  ///< [k]: the k-th row from here is skipped
  Plane cycles_[kCounterBits];   ///< bit i of every group's cycles
};

template <class Arch>
PlaneKernel plane_kernel_for() {
  using Kernel = PlaneKernelFor<Arch>;
  return {Kernel::kWidth, Kernel::run};
}

}  // namespace td::sim
