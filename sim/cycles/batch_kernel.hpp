// SPDX-License-Identifier: Apache-2.0
// The inner loop of the cycle simulation: hundreds of tile-row groups scheduled at once, one to
// each bit of a SIMD register. Compiled once for every instruction set; plain pointers only, so
// that no code of one set can end up in another's.
#pragma once

#include <cstdint>

namespace td::sim {

/// What a kernel has room for.
inline constexpr int kBatchTileRows = 16;
inline constexpr int kBatchDepth = 8;

/// The scheduler of a configuration, unrolled: which elements lanes look at, in which order.
struct BatchPlan {
  int lanes = 0;
  int depth = 0;
  int tile_rows = 0;
  int options = 0;
  /// [row in use modulo depth][lane, in the order of the levels][option]: the element's number in
  /// the staging buffer, row modulo depth * lanes + lane.
  const std::uint32_t* elements = nullptr;
  const std::uint8_t* lane_order = nullptr;  ///< [lanes]: level by level
};

/// Groups that are scheduled at once, each in its own window. `Mask` has a bit for every lane. The
/// mask of row t of tile row r of group g is table[bases[r * width + g] + offsets[t]]; in
/// two-sided scheduling that and other_table[other_bases[g] + other_offsets[t]].
template <class Mask>
struct Batch {
  const Mask* table = nullptr;
  const std::uint32_t* bases = nullptr;    ///< [tile row][width]; anything where absent
  const std::uint32_t* offsets = nullptr;  ///< [rows]
  const Mask* other_table = nullptr;       ///< null when scheduling is one-sided
  const std::uint32_t* other_bases = nullptr;
  const std::uint32_t* other_offsets = nullptr;
  const Mask* present = nullptr;  ///< [tile row][width]: 1 where there is a stream
  const Mask* filling = nullptr;  ///< [rows]: lanes that only fill up the row
  std::int64_t rows = 0;          ///< T, the same for all groups
};

/// Lane slots of the tile rows that have a stream, over all cycles and groups of a batch.
struct LaneCounts {
  std::int64_t row_cycles = 0;  ///< cycles of each such tile row
  std::int64_t channel_padding = 0;
  std::int64_t lane_conflicts = 0;
  std::int64_t stream_tail = 0;
  std::int64_t row_imbalance = 0;
  std::int64_t depth_limit = 0;
};

/// What the instruction set's compilation offers for one type of mask.
template <class Mask>
struct BatchKernel {
  int width = 0;  ///< groups of a batch
  /// Schedules a batch. `scratch` has scratch_words() words, aligned to 64 bytes; `cycles`
  /// [width] receives the cycles of each group, 0 where tile row 0 has no stream.
  void (*run)(const BatchPlan& plan, const Batch<Mask>& batch, std::uint64_t* scratch,
              std::uint32_t* cycles, LaneCounts& counts) = nullptr;
  /// The same without counting lanes; `tails` [width] receives those of the cycles that are left
  /// when a group's last row is in its staging buffer.
  void (*run_steps)(const BatchPlan& plan, const Batch<Mask>& batch, std::uint64_t* scratch,
                    std::uint32_t* cycles, std::uint32_t* tails) = nullptr;
};

/// Words of 64 bits of the windows of `width` groups.
constexpr std::int64_t group_window_words(const BatchPlan& plan, int width) {
  return std::int64_t{plan.tile_rows} * plan.depth * plan.lanes * (width / 64);
}

/// Words of 64 bits that a kernel of `width` groups works in.
constexpr std::int64_t scratch_words(const BatchPlan& plan, int width) {
  return group_window_words(plan, width) + plan.lanes * (width / 64) + width;
}

/// The kernel of one instruction set, which the processor must have.
template <class Arch, class Mask>
BatchKernel<Mask> batch_kernel_for();

/// The kernel of the best instruction set that this processor has.
template <class Mask>
BatchKernel<Mask> best_batch_kernel();

}  // namespace td::sim
