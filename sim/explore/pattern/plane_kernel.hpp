// SPDX-License-Identifier: Apache-2.0
// The inner loop of the search for patterns: as the batch kernel of sim/cycles, of streams whose
// masks were transposed once for all patterns. It counts cycles and nothing else. Compiled once for
// every instruction set; plain pointers only.
#pragma once

#include <cstdint>

#include "sim/cycles/batch_kernel.hpp"

namespace td::sim {

/// Groups that are scheduled at once, a bit for each, with streams as long as they happen to be. A
/// plane has width / 64 words. Tile rows without a stream have no effectual element.
struct PlaneBatch {
  const std::uint64_t* planes = nullptr;  ///< [row][tile row][lane]: effectual elements
  const std::uint64_t* alive = nullptr;   ///< [row]: groups whose streams have the row
  std::int64_t rows = 0;                  ///< of the longest
};

/// What the instruction set's compilation offers.
struct PlaneKernel {
  int width = 0;  ///< groups of a batch
  /// Schedules a batch. `scratch` has group_window_words() words, aligned to 64 bytes as the
  /// batch's planes are; `cycles` [width] receives the cycles of each group, 0 where none is.
  void (*run)(const BatchPlan& plan, const PlaneBatch& batch, std::uint64_t* scratch,
              std::uint32_t* cycles) = nullptr;
};

/// The kernel of one instruction set, which the processor must have.
template <class Arch>
PlaneKernel plane_kernel_for();

/// The kernel of the best instruction set that this processor has.
PlaneKernel best_plane_kernel();

}  // namespace td::sim
