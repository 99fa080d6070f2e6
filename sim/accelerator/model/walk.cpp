// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/walk.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/accelerator/job_error.hpp"

namespace td::sim {

namespace {

constexpr std::size_t kBlockLevels = 3;  // the levels that make a block

/// The six loops: a row at a time.
class Steps {
 public:
  explicit Steps(const OperandWalk& walk) : walk_(walk), row_(walk.row), y_(walk.y), x_(walk.x) {}

  bool ended() const { return ended_; }
  std::uint32_t row() const { return row_; }
  bool inside() const { return y_ >= 0 && y_ < walk_.y_bound && x_ >= 0 && x_ < walk_.x_bound; }

  /// To the next row. Whether it begins another block, or there is none.
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
  const OperandWalk& walk_;
  std::uint32_t row_;
  std::int16_t y_;
  std::int16_t x_;
  std::uint32_t counts_[6] = {};
  bool ended_ = false;
};

void check(const OperandWalk& walk, std::int64_t lanes, std::int64_t streams) {
  const std::int64_t made = walk.blocks * (walk.transpose ? lanes : 1);
  const bool fits = walk.transpose ? made >= streams : made == streams;
  const bool loops = std::all_of(walk.levels.begin(), walk.levels.end(),
                                 [](const WalkLevel& level) { return level.count > 0; });
  if (!fits || !loops) throw DescriptorFault{ErrorCode::field};
}

}  // namespace

Streams walk_operands(const Geometry& geometry, const OperandWalk& walk,
                      const std::vector<std::uint32_t>& memory, std::int64_t streams,
                      std::int64_t chunk_rows, std::int64_t& rows_read) {
  check(walk, geometry.lanes, streams);
  const auto lanes = static_cast<std::size_t>(geometry.lanes);
  const auto rows = static_cast<std::size_t>(chunk_rows);
  const std::size_t block_rows = walk.transpose ? lanes * rows : rows;
  Streams result(static_cast<std::size_t>(streams) * rows * lanes);
  // Where element `lane` of source row `source` of a block goes.
  const auto place = [&](std::size_t block, std::size_t source, std::size_t lane) {
    if (!walk.transpose) return (block * rows + source) * lanes + lane;
    return ((block * lanes + lane) * rows + source / lanes) * lanes + source % lanes;
  };
  Steps steps(walk);
  for (std::size_t block = 0; block < walk.blocks && !steps.ended(); ++block) {
    bool block_ended = false;
    for (std::size_t source = 0; !block_ended; ++source) {
      if (source == block_rows) throw DescriptorFault{ErrorCode::field};
      if (steps.inside()) {
        if (steps.row() >= geometry.operand_rows) throw DescriptorFault{ErrorCode::field};
        ++rows_read;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::size_t to = place(block, source, lane);
          if (to < result.size()) result[to] = memory[steps.row() * lanes + lane];
        }
      }
      block_ended = steps.advance();
    }
  }
  return result;
}

}  // namespace td::sim
