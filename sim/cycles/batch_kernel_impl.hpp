// SPDX-License-Identifier: Apache-2.0
// Body of the batch kernel, for the instruction set that the including file is compiled for.
#pragma once

#include <xsimd/xsimd.hpp>

#include "sim/cycles/batch_kernel.hpp"

namespace td::sim {

/// A struct template only so that every instruction set has functions of its own.
template <class Arch, class Mask>
struct BatchKernelFor {
  using Plane = xsimd::batch<std::uint64_t, Arch>;  ///< a bit for every group
  using Masks = xsimd::batch<Mask, Arch>;
  static constexpr int kWords = static_cast<int>(Plane::size);
  static constexpr int kWidth = 64 * kWords;
  static constexpr int kBits = 8 * static_cast<int>(sizeof(Mask));
  static constexpr int kMaskCount = static_cast<int>(Masks::size);
  static constexpr int kCounterBits = 32;
  static constexpr int kSumBits = 7;  ///< counts 0…64 lanes

  static Plane zeros() { return Plane(std::uint64_t{0}); }
  static Plane ones() { return Plane(~std::uint64_t{0}); }
  static Plane load(const std::uint64_t* words) { return Plane::load_aligned(words); }
  static void store(std::uint64_t* words, Plane plane) { plane.store_aligned(words); }
  static Plane without(Plane x, Plane y) { return x & ~y; }

  static std::int64_t count(Plane plane) {
    alignas(64) std::uint64_t words[Plane::size];
    store(words, plane);
    int bits = 0;
    for (int i = 0; i < kWords; ++i) bits += __builtin_popcountll(words[i]);
    return bits;
  }

  /// Element e of vector j, bit i, changes places with element e of vector i, bit j.
  static void transpose(Masks* v) {
    Mask half = static_cast<Mask>(~Mask{0});
    for (int distance = kBits / 2; distance > 0; distance /= 2) {
      half = static_cast<Mask>(half ^ static_cast<Mask>(half << distance));
      const Masks low(half);
      for (int j = 0; j < kBits; ++j) {
        if ((j & distance) != 0) continue;
        const Masks swap = ((v[j] >> distance) ^ v[j + distance]) & low;
        v[j] = v[j] ^ (swap << distance);
        v[j + distance] = v[j + distance] ^ swap;
      }
    }
  }

  /// `planes` [lanes] from one mask for each group.
  static void to_planes(const Mask* masks, int lanes, std::uint64_t* planes, Plane present) {
    Masks v[8 * sizeof(Mask)];
    for (int j = 0; j < kBits; ++j) v[j] = Masks::load_aligned(masks + j * kMaskCount);
    transpose(v);
    for (int lane = 0; lane < lanes; ++lane) {
      store(planes + lane * kWords, xsimd::bitwise_cast<Plane>(v[lane]) & present);
    }
  }

  BatchKernelFor(const BatchPlan& plan, const Batch<Mask>& batch, std::uint64_t* scratch)
      : plan_(plan), batch_(batch), window_(scratch) {
    idle_ = window_ + std::int64_t{plan.tile_rows} * plan.depth * plan.lanes * kWords;
    masks_ = reinterpret_cast<Mask*>(idle_ + plan.lanes * kWords);
    for (int r = 0; r < plan.tile_rows; ++r) {
      alignas(64) std::uint64_t plane[Plane::size];
      to_planes(batch.present + r * kWidth, 1, plane, ones());
      present_[r] = load(plane);
      held_[r] = zeros();
    }
    for (Plane& plane : skip_) plane = zeros();
    for (Plane& plane : cycles_) plane = zeros();
  }

  std::uint64_t* row(int r, int slot) const {
    return window_ + (std::int64_t{r} * plan_.depth + slot) * plan_.lanes * kWords;
  }

  void load_row(std::int64_t t, int slot) {
    for (int r = 0; r < plan_.tile_rows; ++r) {
      std::uint64_t* planes = row(r, slot);
      if (t >= batch_.rows) {
        for (int lane = 0; lane < plan_.lanes; ++lane) store(planes + lane * kWords, zeros());
        continue;
      }
      const Mask* table = batch_.table + batch_.offsets[t];
      const std::uint32_t* bases = batch_.bases + r * kWidth;
      for (int g = 0; g < kWidth; ++g) masks_[g] = table[bases[g]];
      if (batch_.other_table != nullptr) {
        const Mask* other = batch_.other_table + batch_.other_offsets[t];
        for (int g = 0; g < kWidth; ++g) {
          masks_[g] = static_cast<Mask>(masks_[g] & other[batch_.other_bases[g]]);
        }
      }
      to_planes(masks_, plan_.lanes, planes, present_[r]);
    }
  }

  /// The lanes of a tile row choose, one after the other; those left idle are in idle_.
  void choose(int r, int phase, Plane active) {
    std::uint64_t* window = row(r, 0);
    const std::uint32_t* element = plan_.elements + phase * plan_.lanes * plan_.options;
    for (int i = 0; i < plan_.lanes; ++i) {
      Plane free = active;
      for (int p = 0; p < plan_.options; ++p) {
        std::uint64_t* at = window + *element++ * kWords;
        const Plane effectual = load(at);
        store(at, without(effectual, free));
        free = without(free, effectual);
      }
      store(idle_ + plan_.lane_order[i] * kWords, free);
    }
  }

  /// Counts idle lanes by cause. `left`: groups with effectual elements in the row's window.
  void count_idle(std::int64_t t, Plane left, Plane held, LaneCounts& counts) const {
    const Mask filling = batch_.filling[t];
    Plane sum[kSumBits];
    for (Plane& plane : sum) plane = zeros();
    int lanes = 0;
    for (int lane = 0; lane < plan_.lanes; ++lane) {
      Plane carry = load(idle_ + lane * kWords);
      if ((filling >> lane & 1) != 0) {
        counts.channel_padding += count(carry);
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
      counts.lane_conflicts += conflicts << i;
      if (tail) {
        counts.stream_tail += (all - conflicts) << i;
      } else {
        const std::int64_t imbalance = count(without(sum[i], left) & held);
        counts.row_imbalance += imbalance << i;
        counts.depth_limit += (all - conflicts - imbalance) << i;
      }
    }
  }

  /// One row of the walk: groups that have not skipped it take a cycle.
  void step(std::int64_t t, int phase, LaneCounts& counts) {
    const int depth = plan_.depth;
    const Plane active = without(present_[0], skip_[1]);
    Plane all_empty[kBatchDepth];  // [k]: rows 1…k of the window are empty in all tile rows
    Plane empty[kBatchTileRows][kBatchDepth];
    for (int k = 1; k < depth; ++k) all_empty[k] = active;
    for (int r = 0; r < plan_.tile_rows; ++r) {
      const Plane choosing = active & present_[r];
      choose(r, phase, choosing);
      Plane left = zeros();
      for (int k = 1; k < depth; ++k) {
        const std::uint64_t* ahead = row(r, (phase + k) % depth);
        for (int lane = 0; lane < plan_.lanes; ++lane) left = left | load(ahead + lane * kWords);
        empty[r][k] = ~left;
        all_empty[k] = without(all_empty[k], left);
      }
      count_idle(t, left, held_[r], counts);
      counts.row_cycles += count(choosing);
    }
    for (int r = 0; r < plan_.tile_rows; ++r) {
      Plane ahead = zeros();
      for (int k = 1; k < depth; ++k) ahead = ahead | without(empty[r][k], all_empty[k]);
      held_[r] = without(held_[r], active) | (ahead & active);
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
    for (int begin = 0; begin < kCounterBits; begin += kBits) {
      Masks v[8 * sizeof(Mask)];
      for (int i = 0; i < kBits; ++i) {
        v[i] = xsimd::bitwise_cast<Masks>(begin + i < kCounterBits ? cycles_[begin + i] : zeros());
      }
      transpose(v);
      alignas(64) Mask values[Masks::size];
      for (int j = 0; j < kBits; ++j) {
        v[j].store_aligned(values);
        for (int e = 0; e < kMaskCount; ++e) {
          cycles[j * kMaskCount + e] |= static_cast<std::uint32_t>(values[e]) << begin;
        }
      }
    }
  }

  // NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes there.
  static void run(const BatchPlan& plan, const Batch<Mask>& batch, std::uint64_t* scratch,
                  std::uint32_t* cycles, LaneCounts& counts) {
    BatchKernelFor kernel(plan, batch, scratch);
    for (int k = 0; k + 1 < plan.depth; ++k) kernel.load_row(k, k);
    for (std::int64_t t = 0; t < batch.rows; ++t) {
      const int phase = static_cast<int>(t % plan.depth);
      kernel.load_row(t + plan.depth - 1, (phase + plan.depth - 1) % plan.depth);
      kernel.step(t, phase, counts);
    }
    kernel.read_cycles(cycles);
  }

  const BatchPlan& plan_;
  const Batch<Mask>& batch_;
  std::uint64_t* window_;  ///< [tile row][row modulo depth][lane] planes
  std::uint64_t* idle_;    ///< [lane] planes
  Mask* masks_;            ///< [width]
  Plane present_[kBatchTileRows];
  Plane held_[kBatchTileRows];   ///< the row could have gone on at the last step
  Plane skip_[kBatchDepth + 1];  ///< [k]: the k-th row from here is skipped
  Plane cycles_[kCounterBits];   ///< bit i of every group's cycles
};

template <class Arch, class Mask>
BatchKernel<Mask> batch_kernel_for() {
  using Kernel = BatchKernelFor<Arch, Mask>;
  return {Kernel::kWidth, Kernel::run};
}

}  // namespace td::sim
