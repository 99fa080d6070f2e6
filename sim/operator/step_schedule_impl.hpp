// SPDX-License-Identifier: Apache-2.0
// The schedule of a batch, for the instruction set that the including file is compiled for.
#pragma once

#include <algorithm>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "base/configuration/choice.hpp"
#include "sim/operator/step_kernel.hpp"
#include "sim/operator/step_operands_impl.hpp"

namespace td::sim {

/// A struct template only so that every instruction set has functions of its own.
template <class Arch, class Mask>
struct StepSchedule {
  using Masks = xsimd::batch<Mask, Arch>;
  using Ints = xsimd::batch<std::int32_t, Arch>;
  static constexpr int kDepth = 8;
  static constexpr int kOptions = 64;

  StepSchedule(const StepPlan& plan, const StepBatch<Mask>& batch) : plan_(plan), batch_(batch) {
    all_ = static_cast<Mask>(~std::uint64_t{0} >> (64 - plan.lanes));
    for (std::size_t i = 0; i < Ints::size; ++i) lane_bits_[i] = std::int32_t{1} << i;
    std::fill_n(first_, kBatchStreams, 0);
    std::fill_n(batch.steps, batch.groups, 0);
  }

  /// The windows of as many streams as a register holds, as their lanes see them.
  struct View {
    Masks seen(int option) const { return rotate(rows[plan.steps[option]], plan.shifts[option]); }
    void take(int option, Masks seen, Masks undecided) {
      const Masks taking = seen & undecided;
      const int right = plan.shifts[option];
      Masks& row = rows[plan.steps[option]];
      taken[option] = taken[option] | taking;
      row = row ^ rotate(taking, right == 0 ? 0 : plan.lanes - right);
    }
    Masks rotate(Masks mask, int right) const {
      if (right == 0) return mask;
      return ((mask >> right) | (mask << (plan.lanes - right))) & all;
    }

    const StepPlan& plan;
    Masks all;
    Masks* rows;   ///< [depth]
    Masks* taken;  ///< [options]
  };

  /// Which lanes of every row are not zero.
  void find_effectual() const {
    for (int s = 0; s < batch_.groups * plan_.tile_rows; ++s) {
      const float* row = batch_.values + s * (batch_.rows * plan_.lanes + 1);
      Mask* pending = batch_.pending + s * batch_.rows;
      for (std::int64_t t = 0; t < batch_.rows; ++t, row += plan_.lanes) {
        pending[t] = plan_.lanes == 16 ? nonzero<16>(row, 16) : nonzero<0>(row, plan_.lanes);
      }
    }
  }

  /// The same of one row; `fixed` lanes let the compiler unroll it.
  template <int fixed>
  static Mask nonzero(const float* row, int lanes) {
    using Bits = std::conditional_t<fixed != 0, std::uint32_t, std::uint64_t>;
    Bits mask = 0;
    for (int lane = 0; lane < (fixed != 0 ? fixed : lanes); ++lane) {
      mask |= static_cast<Bits>(row[lane] != 0) << lane;
    }
    return static_cast<Mask>(mask);
  }

  /// Copies the rows in view of every stream, zero behind the last.
  void load_windows() {
    const int streams = batch_.groups * plan_.tile_rows;
    for (int s = 0; s < streams; ++s) {
      const std::int64_t first = first_[s / plan_.tile_rows];
      const Mask* pending = batch_.pending + s * batch_.rows;
      for (int k = 0; k < plan_.depth; ++k) {
        window_[k][s] = first + k < batch_.rows ? pending[first + k] : Mask{0};
      }
    }
  }

  void store_windows() {
    const int streams = batch_.groups * plan_.tile_rows;
    for (int s = 0; s < streams; ++s) {
      const std::int64_t first = first_[s / plan_.tile_rows];
      Mask* pending = batch_.pending + s * batch_.rows;
      for (int k = 0; k < plan_.depth && first + k < batch_.rows; ++k) {
        pending[first + k] = window_[k][s];
      }
    }
  }

  /// Of all streams: levels one after the other.
  void choose() {
    for (int at = 0; at < kBatchStreams; at += static_cast<int>(Masks::size)) {
      Masks rows[kDepth];
      Masks taken[kOptions];
      for (int k = 0; k < plan_.depth; ++k) rows[k] = Masks::load_aligned(window_[k] + at);
      for (int p = 0; p < plan_.options; ++p) taken[p] = Masks(Mask{0});
      View view{plan_, Masks(all_), rows, taken};
      for (int level = 0; level < plan_.levels; ++level) {
        td::choose(plan_.options, Masks(static_cast<Mask>(plan_.level_lanes[level])), view);
      }
      for (int k = 0; k < plan_.depth; ++k) rows[k].store_aligned(window_[k] + at);
      for (int p = 0; p < plan_.options; ++p) taken[p].store_aligned(choice_[p] + at);
    }
  }

  /// Writes what a stream's lanes multiply in a step.
  void emit(int stream, std::int64_t step, std::int64_t first) const {
    const std::int64_t at = stream * batch_.rows + step;
    const std::int64_t idle = batch_.rows * plan_.lanes;
    const std::int64_t values = stream * (idle + 1);
    std::uint64_t used = 0;
    for (int p = 0; p < plan_.options; ++p) used |= choice_[p][stream];
    batch_.used[at] = used;
    if (used == 0) return;
    const Ints begin(static_cast<std::int32_t>(first * plan_.lanes));
    const Ints bits = Ints::load_aligned(lane_bits_);
    for (int lane = 0; lane < plan_.pitch; lane += static_cast<int>(Ints::size)) {
      const int shift = lane / kLaneVector * kLaneVector;
      const Ints here = bits << (lane % kLaneVector);
      Ints elements(static_cast<std::int32_t>(idle));
      for (int p = 0; p < plan_.options; ++p) {
        const auto lanes =
            static_cast<std::int32_t>((std::uint64_t{choice_[p][stream]} >> shift) & 0xffff);
        const Ints source = Ints::load_aligned(plan_.sources + p * plan_.pitch + lane) + begin;
        elements = xsimd::select((Ints(lanes) & here) != Ints(0), source, elements);
      }
      const std::int64_t to = at * plan_.pitch + lane;
      elements.store_aligned(batch_.elements + to);
      pick(batch_.values + values, batch_.elements + to, batch_.factors + to);
    }
    if (plan_.places == 0) return;
    StepOperands<Arch>::exponents(batch_.factors + at * plan_.pitch, plan_.pitch, plan_.smallest,
                                  batch_.factor_exponents + at * plan_.pitch);
  }

  /// values[elements[i]] , a vector of them.
  static void pick(const float* values, const std::int32_t* elements, float* out) {
    for (std::size_t i = 0; i < Ints::size; ++i) out[i] = values[elements[i]];
  }

  /// Leading empty rows that all streams of a group have in view.
  int advance(int group) const {
    const auto visible =
        static_cast<int>(std::min<std::int64_t>(plan_.depth, batch_.rows - first_[group]));
    int empty = 0;
    for (; empty < visible; ++empty) {
      Mask left = 0;
      for (int r = 0; r < plan_.tile_rows; ++r) {
        left = static_cast<Mask>(left | window_[empty][group * plan_.tile_rows + r]);
      }
      if (left != 0) break;
    }
    return empty;
  }

  /// One step of every group that has rows left; whether there is one with more.
  bool step() {
    load_windows();
    choose();
    store_windows();
    bool more = false;
    for (int g = 0; g < batch_.groups; ++g) {
      if (first_[g] >= batch_.rows) continue;
      for (int r = 0; r < plan_.tile_rows; ++r) {
        emit(g * plan_.tile_rows + r, batch_.steps[g], first_[g]);
      }
      ++batch_.steps[g];
      first_[g] += advance(g);
      more = more || first_[g] < batch_.rows;
    }
    return more;
  }

  /// Every row a step of its own, in which every lane multiplies.
  void dense() {
    std::fill_n(choice_[0], kBatchStreams, all_);
    for (int g = 0; g < batch_.groups; ++g) {
      for (int r = 0; r < plan_.tile_rows; ++r) {
        for (std::int64_t t = 0; t < batch_.rows; ++t) emit(g * plan_.tile_rows + r, t, t);
      }
      batch_.steps[g] = batch_.rows;
    }
  }

  static void run(const StepPlan& plan, const StepBatch<Mask>& batch) {
    StepSchedule schedule(plan, batch);
    if (batch.dense) {
      schedule.dense();
      return;
    }
    schedule.find_effectual();
    while (schedule.step()) {
    }
  }

  const StepPlan& plan_;
  const StepBatch<Mask>& batch_;
  Mask all_;                           ///< every lane
  std::int64_t first_[kBatchStreams];  ///< [group]: its row in use
  alignas(64) std::int32_t lane_bits_[Ints::size];
  alignas(64) Mask window_[kDepth][kBatchStreams] = {};
  alignas(64) Mask choice_[kOptions][kBatchStreams] = {};
};

}  // namespace td::sim
