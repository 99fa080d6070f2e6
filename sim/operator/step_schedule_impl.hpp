// SPDX-License-Identifier: Apache-2.0
// The schedule of a batch, for the instruction set that the including file is compiled for.
#pragma once

#include <algorithm>
#include <xsimd/xsimd.hpp>

#include "base/configuration/choice.hpp"
#include "sim/operator/step_kernel.hpp"
#include "sim/operator/step_operands_impl.hpp"

namespace td::sim {

/// A struct template so that every instruction set has functions of its own. `usual`: of the sizes
/// that most configurations have, so that the compiler unrolls what is done for every step.
template <class Arch, class Mask, bool usual>
struct StepSchedule {
  using Masks = xsimd::batch<Mask, Arch>;
  using Ints = xsimd::batch<std::int32_t, Arch>;
  using Floats = xsimd::batch<float, Arch>;
  static constexpr int kDepth = 8;
  static constexpr int kOptions = 64;

  int lanes() const { return usual ? 16 : plan_.lanes; }
  int pitch() const { return usual ? 16 : plan_.pitch; }
  int depth() const { return usual ? 3 : plan_.depth; }
  int options() const { return usual ? 8 : plan_.options; }
  int tile_rows() const { return usual ? 4 : plan_.tile_rows; }
  static bool fits(const StepPlan& plan) {
    return plan.lanes == 16 && plan.depth == 3 && plan.options == 8 && plan.tile_rows == 4;
  }

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
      row = row ^ rotate(taking, right == 0 ? 0 : lanes - right);
    }
    Masks rotate(Masks mask, int right) const {
      if (right == 0) return mask;
      return ((mask >> right) | (mask << (lanes - right))) & all;
    }

    const StepPlan& plan;
    int lanes;
    Masks all;
    Masks* rows;   ///< [depth]
    Masks* taken;  ///< [options]
  };

  /// The lanes of every stream that are not zero, and zero behind the last row.
  void fill_pending() const {
    const std::int64_t size = (batch_.rows + depth()) * tile_rows();
    std::fill_n(batch_.pending, batch_.groups * size, Mask{0});
    for (int s = 0; s < batch_.streams; ++s) {
      const std::int32_t* ids = batch_.ids + s * batch_.rows;
      Mask* pending = batch_.pending + s / tile_rows() * size + s % tile_rows();
      for (std::int64_t t = 0; t < batch_.rows; ++t) {
        pending[t * tile_rows()] = static_cast<Mask>(batch_.masks[ids[t]]);
      }
    }
  }

  /// Calls move(pending, window) for every row that a group has in view: tile_rows masks of each.
  template <class Move>
  void each_row(const Move& move) {
    for (int g = 0; g < batch_.groups; ++g) {
      const std::int64_t first = g * (batch_.rows + depth()) + first_[g];
      Mask* pending = batch_.pending + first * tile_rows();
      for (int k = 0; k < depth(); ++k) {
        move(pending + k * tile_rows(), window_[k] + g * tile_rows());
      }
    }
  }

  /// Copies a group's row; four masks are one word.
  void copy(const Mask* from, Mask* to) const { std::copy_n(from, tile_rows(), to); }

  void load_windows() {
    each_row([&](const Mask* pending, Mask* window) { copy(pending, window); });
  }
  void store_windows() {
    each_row([&](Mask* pending, const Mask* window) { copy(window, pending); });
  }

  /// Of all streams: levels one after the other.
  void choose() {
    for (int at = 0; at < kBatchStreams; at += static_cast<int>(Masks::size)) {
      Masks rows[kDepth];
      Masks taken[kOptions];
      for (int k = 0; k < depth(); ++k) rows[k] = Masks::load_aligned(window_[k] + at);
      for (int p = 0; p < options(); ++p) taken[p] = Masks(Mask{0});
      View view{plan_, lanes(), Masks(all_), rows, taken};
      for (int level = 0; level < plan_.levels; ++level) {
        td::choose(options(), Masks(static_cast<Mask>(plan_.level_lanes[level])), view);
      }
      for (int k = 0; k < depth(); ++k) rows[k].store_aligned(window_[k] + at);
      for (int p = 0; p < options(); ++p) taken[p].store_aligned(choice_[p] + at);
    }
  }

  /// Writes what a stream's lanes multiply in a step.
  void emit(int stream, std::int64_t step, std::int64_t first) const {
    const std::int64_t at = stream * batch_.rows + step;
    std::uint64_t used = 0;
    for (int p = 0; p < options(); ++p) used |= choice_[p][stream];
    batch_.used[at] = used;
    if (used == 0) return;
    const int looked = choice_[0][stream] == used ? 1 : options();
    const float* rows[kDepth];
    const std::int32_t* ids = batch_.ids + stream * batch_.rows;
    for (int k = 0; k < depth(); ++k) {
      const std::int32_t id = first + k < batch_.rows ? ids[first + k] : 0;
      rows[k] = batch_.values + std::int64_t{id} * 2 * pitch();
    }
    const Ints begin(static_cast<std::int32_t>(first * lanes()));
    const Ints bits = Ints::load_aligned(lane_bits_);
    for (int lane = 0; lane < pitch(); lane += static_cast<int>(Ints::size)) {
      const int shift = lane / kLaneVector * kLaneVector;
      const Ints here = bits << (lane % kLaneVector);
      Ints elements(static_cast<std::int32_t>(batch_.rows * lanes()));
      Ints factors(0);
      for (int p = 0; p < looked; ++p) {
        const auto taken =
            static_cast<std::int32_t>((std::uint64_t{choice_[p][stream]} >> shift) & 0xffff);
        const auto takes = (Ints(taken) & here) != Ints(0);
        const Ints source = Ints::load_aligned(plan_.sources + p * pitch() + lane) + begin;
        const Floats values = Floats::load_unaligned(rows[plan_.steps[p]] + plan_.shifts[p] + lane);
        elements = xsimd::select(takes, source, elements);
        factors = xsimd::select(takes, xsimd::bitwise_cast<Ints>(values), factors);
      }
      const std::int64_t to = at * pitch() + lane;
      elements.store_aligned(batch_.elements + to);
      xsimd::bitwise_cast<Floats>(factors).store_aligned(batch_.factors + to);
    }
    if (plan_.places == 0) return;
    StepOperands<Arch>::exponents(batch_.factors + at * pitch(), pitch(), plan_.smallest,
                                  batch_.factor_exponents + at * pitch());
  }

  /// Leading empty rows that all streams of a group have in view.
  int advance(int group) const {
    const auto visible =
        static_cast<int>(std::min<std::int64_t>(depth(), batch_.rows - first_[group]));
    int empty = 0;
    for (; empty < visible; ++empty) {
      Mask left = 0;
      for (int r = 0; r < tile_rows(); ++r) {
        left = static_cast<Mask>(left | window_[empty][group * tile_rows() + r]);
      }
      if (left != 0) break;
    }
    return empty;
  }

  /// Calls visit(stream) for those of a group.
  template <class Visit>
  void each_stream(int group, const Visit& visit) const {
    const int begin = group * tile_rows();
    const int end = std::min(begin + tile_rows(), batch_.streams);
    for (int s = begin; s < end; ++s) visit(s);
  }

  /// One step of every group that has rows left; whether there is one with more.
  bool step() {
    load_windows();
    choose();
    store_windows();
    bool more = false;
    for (int g = 0; g < batch_.groups; ++g) {
      if (first_[g] >= batch_.rows) continue;
      each_stream(g, [&](int s) { emit(s, batch_.steps[g], first_[g]); });
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
      each_stream(g, [&](int s) {
        for (std::int64_t t = 0; t < batch_.rows; ++t) emit(s, t, t);
      });
      batch_.steps[g] = batch_.rows;
    }
  }

  static void run(const StepPlan& plan, const StepBatch<Mask>& batch) {
    StepSchedule schedule(plan, batch);
    if (batch.dense) {
      schedule.dense();
      return;
    }
    schedule.fill_pending();
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
