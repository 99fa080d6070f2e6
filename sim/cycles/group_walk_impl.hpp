// SPDX-License-Identifier: Apache-2.0
// The walk of many groups through their streams, for the instruction set that the including file is
// compiled for: rows in lock-step, a bit of every register for each group.
#pragma once

#include "base/configuration/choice.hpp"
#include "sim/cycles/batch_kernel.hpp"
#include "sim/cycles/planes.hpp"

namespace td::sim {

/// Counts nothing but cycles.
template <class Arch>
struct CountsCycles : Planes<Arch> {
  using typename Planes<Arch>::Plane;
  Plane choosing(int, Plane active) const { return active; }
  void idle(int, Plane) {}
  void ahead(int, int, Plane) {}
  void chosen(int, std::int64_t, Plane, Plane) {}
  void stepped(Plane, const Plane*) {}
};

/// Feed: `Plane alive(t)`, the groups that have row t; `void row(r, t, planes)` writes the
/// effectual elements of tile row r's row t, a plane a lane. Counting, of a step: choosing(r,
/// active), the groups whose tile row r takes part; idle(i, groups), those in which the i-th lane
/// to choose found nothing; ahead(r, k, left), those with effectual elements left in rows 1…k;
/// chosen(r, t, left, choosing), when tile row r is done; stepped(active, all_empty), when all are.
template <class Arch, class Feed, class Counting>
class GroupWalk : Planes<Arch> {
 public:
  using typename Planes<Arch>::Plane;
  static constexpr int kCounterBits = 32;

  /// `window` has group_window_words() words, aligned as a plane is.
  GroupWalk(const BatchPlan& plan, std::int64_t rows, std::uint64_t* window, Feed& feed,
            Counting& counting)
      : plan_(plan),
        rows_(rows),
        window_(window),
        row_words_(plan.lanes * kWords),
        feed_(feed),
        counting_(counting) {
    for (Plane& plane : skip_) plane = zeros();
    for (Plane& plane : cycles_) plane = zeros();
  }

  /// Bit i of every group's cycles in plane i, kCounterBits of them.
  const Plane* run() {
    for (int k = 0; k + 1 < plan_.depth; ++k) load_row(k, k);
    int phase = 0;
    for (std::int64_t t = 0; t < rows_; ++t) {
      load_row(t + plan_.depth - 1, (phase + plan_.depth - 1) % plan_.depth);
      step(t, phase);
      if (++phase == plan_.depth) phase = 0;
    }
    return cycles_;
  }

 private:
  using Planes<Arch>::kWords;
  using Planes<Arch>::load;
  using Planes<Arch>::store;
  using Planes<Arch>::without;
  using Planes<Arch>::zeros;

  /// One lane's elements, in all groups.
  struct View {
    Plane seen(int option) const { return load(window + elements[option] * kWords); }
    void take(int option, Plane seen, Plane undecided) {
      // The first is the lane's own element of the row in use, at which nobody looks again.
      if (option != 0) store(window + elements[option] * kWords, without(seen, undecided));
    }
    std::uint64_t* window;
    const std::uint32_t* elements;
  };

  std::uint64_t* row(int r, int slot) const {
    return window_ + (std::int64_t{r} * plan_.depth + slot) * row_words_;
  }

  void load_row(std::int64_t t, int slot) {
    for (int r = 0; r < plan_.tile_rows; ++r) {
      std::uint64_t* to = row(r, slot);
      if (t < rows_) {
        feed_.row(r, t, to);
      } else {
        for (int i = 0; i < row_words_; i += kWords) store(to + i, zeros());
      }
    }
  }

  /// The lanes of a tile row choose, one after the other.
  void choose_row(int r, int phase, Plane choosing) {
    View view{row(r, 0), plan_.elements + phase * plan_.lanes * plan_.options};
    for (int i = 0; i < plan_.lanes; ++i, view.elements += plan_.options) {
      counting_.idle(i, choose(plan_.options, choosing, view));
    }
  }

  /// One row of the walk: groups that have it and have not skipped it take a cycle.
  void step(std::int64_t t, int phase) {
    const int depth = plan_.depth;
    const Plane active = without(feed_.alive(t), skip_[1]);
    Plane all_empty[kBatchDepth];  // [k]: rows 1…k of the window are empty in all tile rows
    for (int k = 1; k < depth; ++k) all_empty[k] = active;
    for (int r = 0; r < plan_.tile_rows; ++r) {
      const Plane choosing = counting_.choosing(r, active);
      choose_row(r, phase, choosing);
      Plane left = zeros();
      for (int k = 1; k < depth; ++k) {
        const std::uint64_t* ahead = row(r, (phase + k) % depth);
        for (int i = 0; i < row_words_; i += kWords) left = left | load(ahead + i);
        counting_.ahead(r, k, left);
        all_empty[k] = without(all_empty[k], left);
      }
      counting_.chosen(r, t, left, choosing);
    }
    counting_.stepped(active, all_empty);
    for (int k = 1; k < depth; ++k) skip_[k] = all_empty[k] | without(skip_[k + 1], active);
    Plane carry = active;
    for (int i = 0; i < kCounterBits && (t + 1) >> i != 0; ++i) {  // at most t + 1 cycles
      const Plane next = cycles_[i] & carry;
      cycles_[i] = cycles_[i] ^ carry;
      carry = next;
    }
  }

  const BatchPlan& plan_;
  std::int64_t rows_;
  std::uint64_t* window_;  ///< [tile row][row modulo depth][lane] planes
  int row_words_;
  Feed& feed_;
  Counting& counting_;
  Plane skip_[kBatchDepth + 1];  ///< [k]: the k-th row from here is skipped
  Plane cycles_[kCounterBits];   ///< bit i of every group's cycles
};

}  // namespace td::sim
