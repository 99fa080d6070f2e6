// SPDX-License-Identifier: Apache-2.0
// The rows inside the tile, by what moved at its ports and what its lanes took.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/model/scheduler.hpp"
#include "verify/replay/coverage/operand_kind.hpp"
#include "verify/replay/coverage/seen.hpp"

namespace td::verify {

/// A row of side A or side B.
struct HeldRow {
  std::vector<OperandKind> kinds;      ///< [line][lane]
  std::vector<sim::LaneMask> nonzero;  ///< [line]
  std::vector<sim::LaneMask> taken;    ///< [tile row]; of side B's rows
  bool first = false;                  ///< ... of its stream
};

/// Follows a tile clock by clock.
class HeldRows {
 public:
  explicit HeldRows(const Config& config);

  /// The rows that move at the ports.
  void accept(const Seen& seen);

  /// The lanes' choices of a step; advance() then lets rows go.
  void take(const Seen& seen);
  void advance(int rows);
  void clear();

  /// Elements of the row `ahead` that a tile row's lanes may still take.
  sim::LaneMask free(int tile_row, int ahead) const;

  /// Rows of both sides that the window shows: enough for a step.
  bool in_step(const Seen& seen) const;

  const HeldRow& a(int ahead) const { return a_[static_cast<std::size_t>(ahead)]; }
  const HeldRow& b(int ahead) const { return b_[static_cast<std::size_t>(ahead)]; }

 private:
  HeldRow row(const std::vector<std::uint32_t>& bits, int index, int lines) const;

  Config config_;
  bool first_ = true;  ///< the next row of side B begins a stream
  std::deque<HeldRow> a_;
  std::deque<HeldRow> b_;
};

}  // namespace td::verify
