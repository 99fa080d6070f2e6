// SPDX-License-Identifier: Apache-2.0
// Body of the batch kernel, for the instruction set that the including file is compiled for.
#pragma once

#include "sim/cycles/group_walk_impl.hpp"

namespace td::sim {

/// Rows from tables of masks.
template <class Arch, class Mask>
class TableFeed : Transposed<Arch, Mask> {
 public:
  using typename Planes<Arch>::Plane;

  /// `masks`: room for [width].
  TableFeed(const BatchPlan& plan, const Batch<Mask>& batch, Mask* masks)
      : lanes_(plan.lanes), batch_(batch), masks_(masks) {
    for (int r = 0; r < plan.tile_rows; ++r) {
      alignas(64) std::uint64_t plane[Plane::size];
      this->to_planes(batch.present + r * kWidth, 1, plane, Planes<Arch>::ones());
      present_[r] = Planes<Arch>::load(plane);
    }
  }

  Plane alive(std::int64_t) const { return present_[0]; }
  /// Groups with a stream in tile row r.
  Plane present(int r) const { return present_[r]; }

  void row(int r, std::int64_t t, std::uint64_t* planes) {
    const Mask* table = batch_.table + batch_.offsets[t];
    const std::uint32_t* bases = batch_.bases + r * kWidth;
    for (int g = 0; g < kWidth; ++g) masks_[g] = table[bases[g]];
    if (batch_.other_table != nullptr) {
      const Mask* other = batch_.other_table + batch_.other_offsets[t];
      for (int g = 0; g < kWidth; ++g) {
        masks_[g] = static_cast<Mask>(masks_[g] & other[batch_.other_bases[g]]);
      }
    }
    this->to_planes(masks_, lanes_, planes, present_[r]);
  }

 private:
  using Planes<Arch>::kWidth;

  int lanes_;
  const Batch<Mask>& batch_;
  Mask* masks_;
  Plane present_[kBatchTileRows];
};

/// Counts idle lanes by cause.
template <class Arch, class Mask>
class CountsLanes : Planes<Arch> {
 public:
  using typename Planes<Arch>::Plane;

  /// `idle`: room for [lane] planes.
  CountsLanes(const BatchPlan& plan, const Batch<Mask>& batch, const TableFeed<Arch, Mask>& feed,
              std::uint64_t* idle, LaneCounts& counts)
      : plan_(plan), batch_(batch), feed_(feed), idle_(idle), counts_(counts) {
    for (int r = 0; r < plan.tile_rows; ++r) held_[r] = zeros();
  }

  Plane choosing(int r, Plane active) const { return active & feed_.present(r); }
  void idle(int i, Plane groups) { store(idle_ + plan_.lane_order[i] * kWords, groups); }
  void ahead(int r, int k, Plane left) { empty_[r][k] = ~left; }

  void chosen(int r, std::int64_t t, Plane left, Plane choosing) {
    count_idle(t, left, held_[r]);
    counts_.row_cycles += count(choosing);
  }

  void stepped(Plane active, const Plane* all_empty) {
    for (int r = 0; r < plan_.tile_rows; ++r) {
      Plane ahead = zeros();
      for (int k = 1; k < plan_.depth; ++k) ahead = ahead | without(empty_[r][k], all_empty[k]);
      held_[r] = without(held_[r], active) | (ahead & active);
    }
  }

 private:
  using Planes<Arch>::count;
  using Planes<Arch>::kWords;
  using Planes<Arch>::load;
  using Planes<Arch>::store;
  using Planes<Arch>::without;
  using Planes<Arch>::zeros;
  static constexpr int kSumBits = 7;  ///< counts 0…64 lanes

  /// `left`: groups with effectual elements in the row's window.
  void count_idle(std::int64_t t, Plane left, Plane held) {
    const Mask filling = batch_.filling[t];
    Plane sum[kSumBits];
    for (Plane& plane : sum) plane = zeros();
    int lanes = 0;
    for (int lane = 0; lane < plan_.lanes; ++lane) {
      Plane carry = load(idle_ + lane * kWords);
      if ((filling >> lane & 1) != 0) {
        counts_.channel_padding += count(carry);
        continue;
      }
      ++lanes;
      for (int i = 0; i < kSumBits && lanes >> i != 0; ++i) {
        const Plane next = sum[i] & carry;
        sum[i] = sum[i] ^ carry;
        carry = next;
      }
    }
    const bool tail = t + plan_.depth > batch_.rows;
    for (int i = 0; i < kSumBits && lanes >> i != 0; ++i) {
      const std::int64_t all = count(sum[i]);
      const std::int64_t conflicts = count(sum[i] & left);
      counts_.lane_conflicts += conflicts << i;
      if (tail) {
        counts_.stream_tail += (all - conflicts) << i;
      } else {
        const std::int64_t imbalance = count(without(sum[i], left) & held);
        counts_.row_imbalance += imbalance << i;
        counts_.depth_limit += (all - conflicts - imbalance) << i;
      }
    }
  }

  const BatchPlan& plan_;
  const Batch<Mask>& batch_;
  const TableFeed<Arch, Mask>& feed_;
  std::uint64_t* idle_;
  LaneCounts& counts_;
  Plane empty_[kBatchTileRows][kBatchDepth];  ///< [r][k]: rows 1…k are empty in tile row r
  Plane held_[kBatchTileRows];                ///< the row could have gone on at the last step
};

/// Counts the cycles of the last rows, as many as a staging buffer has.
template <class Arch, class Mask>
class CountsTail : CountsCycles<Arch> {
 public:
  using typename Planes<Arch>::Plane;
  using CountsCycles<Arch>::idle;
  using CountsCycles<Arch>::ahead;
  using CountsCycles<Arch>::chosen;
  static constexpr int kBits = 4;  ///< counts 0…kBatchDepth

  CountsTail(const BatchPlan& plan, const Batch<Mask>& batch, const TableFeed<Arch, Mask>& feed)
      : feed_(feed), before_(batch.rows - plan.depth) {
    for (Plane& plane : tail_) plane = Planes<Arch>::zeros();
  }

  Plane choosing(int r, Plane active) const { return active & feed_.present(r); }
  void stepped(Plane active, const Plane*) {
    if (before_-- > 0) return;
    for (Plane& plane : tail_) {
      const Plane carry = plane & active;
      plane = plane ^ active;
      active = carry;
    }
  }
  const Plane* tail() const { return tail_; }

 private:
  const TableFeed<Arch, Mask>& feed_;
  std::int64_t before_;  ///< rows
  Plane tail_[kBits];    ///< bit i of every group's cycles
};

// NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes there.
template <class Arch, class Mask>
void run_batch(const BatchPlan& plan, const Batch<Mask>& batch, std::uint64_t* scratch,
               std::uint32_t* cycles, LaneCounts& counts) {
  using Feed = TableFeed<Arch, Mask>;
  using Counting = CountsLanes<Arch, Mask>;
  using Walk = GroupWalk<Arch, Feed, Counting>;
  std::uint64_t* masks = scratch + plan.lanes * Planes<Arch>::kWords;
  Feed feed(plan, batch, reinterpret_cast<Mask*>(masks));
  Counting counting(plan, batch, feed, scratch, counts);
  Walk walk(plan, batch.rows, masks + Planes<Arch>::kWidth, feed, counting);
  Transposed<Arch, Mask>::to_numbers(walk.run(), Walk::kCounterBits, cycles);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes there.
template <class Arch, class Mask>
void run_batch_steps(const BatchPlan& plan, const Batch<Mask>& batch, std::uint64_t* scratch,
                     std::uint32_t* cycles, std::uint32_t* tails) {
  using Feed = TableFeed<Arch, Mask>;
  using Counting = CountsTail<Arch, Mask>;
  using Walk = GroupWalk<Arch, Feed, Counting>;
  Feed feed(plan, batch, reinterpret_cast<Mask*>(scratch));
  Counting counting(plan, batch, feed);
  Walk walk(plan, batch.rows, scratch + Planes<Arch>::kWidth, feed, counting);
  Transposed<Arch, Mask>::to_numbers(walk.run(), Walk::kCounterBits, cycles);
  Transposed<Arch, Mask>::to_numbers(counting.tail(), Counting::kBits, tails);
}

template <class Arch, class Mask>
BatchKernel<Mask> batch_kernel_for() {
  return {Planes<Arch>::kWidth, run_batch<Arch, Mask>, run_batch_steps<Arch, Mask>};
}

}  // namespace td::sim
