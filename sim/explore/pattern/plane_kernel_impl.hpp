// SPDX-License-Identifier: Apache-2.0
// Body of the plane kernel, for the instruction set that the including file is compiled for.
#pragma once

#include "sim/cycles/group_walk_impl.hpp"
#include "sim/explore/pattern/plane_kernel.hpp"

namespace td::sim {

/// Rows that are planes already.
template <class Arch>
class PlaneFeed : Planes<Arch> {
 public:
  using typename Planes<Arch>::Plane;

  PlaneFeed(const BatchPlan& plan, const PlaneBatch& batch)
      : batch_(batch), row_words_(plan.lanes * kWords), step_words_(plan.tile_rows * row_words_) {}

  Plane alive(std::int64_t t) const { return load(batch_.alive + t * kWords); }

  void row(int r, std::int64_t t, std::uint64_t* planes) const {
    const std::uint64_t* from = batch_.planes + t * step_words_ + r * row_words_;
    for (int i = 0; i < row_words_; i += kWords) store(planes + i, load(from + i));
  }

  /// Of each group the number whose bit i is in planes[i].
  void to_numbers(const Plane* planes, int bits, std::uint32_t* values) const {
    for (int g = 0; g < Planes<Arch>::kWidth; ++g) values[g] = 0;
    alignas(64) std::uint64_t words[Plane::size];
    for (int i = 0; i < bits && batch_.rows >> i != 0; ++i) {
      store(words, planes[i]);
      for (int g = 0; g < Planes<Arch>::kWidth; ++g) {
        values[g] |= static_cast<std::uint32_t>(words[g / 64] >> (g % 64) & 1) << i;
      }
    }
  }

 private:
  using Planes<Arch>::kWords;
  using Planes<Arch>::load;
  using Planes<Arch>::store;

  const PlaneBatch& batch_;
  std::int64_t row_words_;
  std::int64_t step_words_;  ///< of all tile rows
};

// NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes there.
template <class Arch>
void run_planes(const BatchPlan& plan, const PlaneBatch& batch, std::uint64_t* scratch,
                std::uint32_t* cycles) {
  using Walk = GroupWalk<Arch, PlaneFeed<Arch>, CountsCycles<Arch>>;
  PlaneFeed<Arch> feed(plan, batch);
  CountsCycles<Arch> counting;
  Walk walk(plan, batch.rows, scratch, feed, counting);
  feed.to_numbers(walk.run(), Walk::kCounterBits, cycles);
}

template <class Arch>
PlaneKernel plane_kernel_for() {
  return {Planes<Arch>::kWidth, run_planes<Arch>};
}

}  // namespace td::sim
