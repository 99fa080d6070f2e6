// SPDX-License-Identifier: Apache-2.0
// The six loops of a walk: which rows of an operand memory it brings, clock by clock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/job_error.hpp"
#include "sim/accelerator/model/operand_banks.hpp"

namespace td::sim {

/// Where a row that is brought goes: row of a stream; if transposed, source row of a block.
struct WalkPlace {
  std::size_t of;  ///< stream, or block
  std::size_t row;
};

/// The rows of a clock at a time.
class WalkSteps {
 public:
  /// A row that is brought: its number, and whether it is inside of the tensor.
  struct Row {
    std::uint32_t number;
    bool inside;
  };

  explicit WalkSteps(const OperandWalk& walk)
      : walk_(walk), row_(walk.row), y_(walk.y), x_(walk.x) {}

  bool ended() const { return ended_; }
  /// Of this clock.
  unsigned rows() const {
    const std::size_t level = walk_.fan_level();
    return counts_[level] + 1 == walk_.levels[level].count ? walk_.last_fan : walk_.fan;
  }
  Row row(unsigned fan) const {
    const auto y = static_cast<std::int16_t>(y_ + static_cast<int>(fan) * walk_.fan_y_step);
    const auto x = static_cast<std::int16_t>(x_ + static_cast<int>(fan) * walk_.fan_x_step);
    return {row_ + fan * static_cast<std::uint32_t>(walk_.fan_row_step),
            y >= 0 && y < walk_.y_bound && x >= 0 && x < walk_.x_bound};
  }

  /// To the next rows. Whether they begin another block, or there are none.
  bool advance() {
    std::size_t level = 0;
    while (level < walk_.levels.size() && counts_[level] + 1 == walk_.levels[level].count) {
      counts_[level++] = 0;
    }
    ended_ = level == walk_.levels.size();
    if (ended_) return true;
    ++counts_[level];
    const WalkLevel& step = walk_.levels[level];
    row_ += static_cast<std::uint32_t>(step.row_step);
    y_ = static_cast<std::int16_t>(y_ + step.y_step);
    x_ = static_cast<std::int16_t>(x_ + step.x_step);
    return level >= kBlockLevels;
  }

 private:
  static constexpr std::size_t kBlockLevels = 3;  // the levels that make a block

  const OperandWalk& walk_;
  std::uint32_t row_;
  std::int16_t y_;
  std::int16_t x_;
  std::uint32_t counts_[6] = {};
  bool ended_ = false;
};

/// Whether a walk makes so many streams; of transposed ones the last may be too many. Throws
/// DescriptorFault if not.
void check_walk(const OperandWalk& walk, const Geometry& geometry, std::int64_t streams);

/// Calls take(where a row goes, its place in the operand memory: see place_of()) for every row that
/// is read; padding is not. The walk makes `streams` streams of `chunk_rows` rows. Throws
/// DescriptorFault.
template <class Take>
void walk_rows(const Geometry& geometry, const OperandWalk& walk, std::int64_t streams,
               std::int64_t chunk_rows, Take take) {
  check_walk(walk, geometry, streams);
  const auto rows = static_cast<std::size_t>(chunk_rows);
  const std::size_t block_rows = static_cast<std::size_t>(geometry.lanes) * rows;
  WalkSteps steps(walk);
  std::size_t stream = 0;
  for (std::size_t block = 0; block < walk.blocks && !steps.ended(); ++block) {
    bool block_ended = false;
    std::size_t came = 0;  // source rows of the block
    unsigned fan_rows = 0;
    for (std::size_t clock = 0; !block_ended; ++clock) {
      fan_rows = steps.rows();
      const bool fits = walk.transpose ? came + fan_rows <= block_rows : clock < rows;
      if (!fits) throw DescriptorFault{ErrorCode::field};
      std::uint32_t taken = 0;  // banks, which give one row in a clock
      for (unsigned fan = 0; fan < fan_rows; ++fan) {
        const WalkSteps::Row row = steps.row(fan);
        if (!row.inside) continue;
        if (row.number >= geometry.operand_rows) throw DescriptorFault{ErrorCode::field};
        const std::uint32_t bank = 1U << bank_of(geometry, row.number, walk.interleave);
        if ((taken & bank) != 0) throw DescriptorFault{ErrorCode::field};
        taken |= bank;
        take(walk.transpose ? WalkPlace{block, came + fan} : WalkPlace{stream + fan, clock},
             static_cast<std::size_t>(place_of(geometry, row.number, walk.interleave)));
      }
      came += fan_rows;
      block_ended = steps.advance();
    }
    stream += fan_rows;
  }
}

}  // namespace td::sim
