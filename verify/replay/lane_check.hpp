// SPDX-License-Identifier: Apache-2.0
// Compares the operands of every lane with the reference model's: where a wrong output comes from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/replay/pass_source.hpp"

namespace td::verify {

/// The operands in front of the multipliers (and of their pipeline registers) in one step.
struct LaneOperands {
  std::vector<std::uint32_t> a;  ///< bits [tile row][tile column][lane]
  std::vector<std::uint32_t> b;  ///< bits [tile row][lane]
};

/// Follows the tile step by step. Not for dense tiles, whose lanes have nothing to choose.
class LaneCheck {
 public:
  explicit LaneCheck(const Config& config);

  /// The next step is the first of this pass.
  void begin(const sim::PassData& pass);

  /// Compares a step of the pass, 0 the first. Returns a line that names the first lane that
  /// differs, or nothing.
  std::string compare(std::int64_t cycle, const LaneOperands& actual);

 private:
  /// Of a pair whose product is a zero, which only dense mode takes: the lane idles all the same,
  /// unless its row has an Inf or NaN on a side that a dropped zero may meet.
  bool rests(int row, std::int64_t element) const;
  bool may_be_nan(std::int64_t pass_row) const;
  std::size_t at(std::int64_t element, int lines, int line) const;
  std::string compare_lane(std::int64_t cycle, int row, int lane, std::int64_t element,
                           const LaneOperands& actual) const;

  Config config_;
  sim::TileModel model_;
  sim::PassData pass_;
  sim::PassResult result_;
};

}  // namespace td::verify
