// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/walk.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/accelerator/job_error.hpp"
#include "sim/accelerator/model/operand_banks.hpp"

namespace td::sim {

namespace {

constexpr std::size_t kBlockLevels = 3;  // the levels that make a block

/// A row that is brought: its number, and whether it is inside of the tensor.
struct Row {
  std::uint32_t number;
  bool inside;
};

/// The six loops: the rows of a clock at a time.
class Steps {
 public:
  explicit Steps(const OperandWalk& walk) : walk_(walk), row_(walk.row), y_(walk.y), x_(walk.x) {}

  bool ended() const { return ended_; }
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
  const OperandWalk& walk_;
  std::uint32_t row_;
  std::int16_t y_;
  std::int16_t x_;
  std::uint32_t counts_[6] = {};
  bool ended_ = false;
};

void check(const OperandWalk& walk, const Geometry& geometry, std::int64_t streams) {
  const std::int64_t made = walk.blocks * (walk.transpose ? geometry.lanes : 1 << walk.fan);
  const bool fits = walk.transpose ? made >= streams : made == streams;
  const bool loops = std::all_of(walk.levels.begin(), walk.levels.end(),
                                 [](const WalkLevel& level) { return level.count > 0; });
  const bool legal =
      1 << walk.fan <= geometry.fill_rows && is_interleave(geometry, walk.interleave);
  if (!fits || !loops || !legal) throw DescriptorFault{ErrorCode::field};
}

/// Reads rows from the banks of an operand memory.
class BankReader {
 public:
  BankReader(const Geometry& geometry, const std::vector<std::uint32_t>& memory,
             unsigned interleave)
      : geometry_(geometry), memory_(memory), interleave_(interleave) {}

  void begin_clock() { taken_ = 0; }

  /// Operand bits of the row. A bank gives one in a clock.
  const std::uint32_t* read(std::uint32_t row) {
    if (row >= geometry_.operand_rows) throw DescriptorFault{ErrorCode::field};
    const std::uint32_t bank = 1U << bank_of(geometry_, row, interleave_);
    if ((taken_ & bank) != 0) throw DescriptorFault{ErrorCode::field};
    taken_ |= bank;
    return &memory_[static_cast<std::size_t>(place_of(geometry_, row, interleave_) *
                                             geometry_.lanes)];
  }

 private:
  const Geometry& geometry_;
  const std::vector<std::uint32_t>& memory_;
  unsigned interleave_;
  std::uint32_t taken_ = 0;  ///< banks, in this clock
};

}  // namespace

Streams walk_operands(const Geometry& geometry, const OperandWalk& walk,
                      const std::vector<std::uint32_t>& memory, std::int64_t streams,
                      std::int64_t chunk_rows, std::int64_t& rows_read) {
  check(walk, geometry, streams);
  const auto lanes = static_cast<std::size_t>(geometry.lanes);
  const auto rows = static_cast<std::size_t>(chunk_rows);
  const unsigned fan_rows = 1U << walk.fan;
  const std::size_t block_rows = walk.transpose ? lanes * rows / fan_rows : rows;
  Streams result(static_cast<std::size_t>(streams) * rows * lanes);
  // Where element `lane` of the fan-th row of clock `clock` of a block goes.
  const auto place = [&](std::size_t block, std::size_t clock, unsigned fan, std::size_t lane) {
    if (!walk.transpose) return ((block * fan_rows + fan) * rows + clock) * lanes + lane;
    const std::size_t source = clock * fan_rows + fan;
    return ((block * lanes + lane) * rows + source / lanes) * lanes + source % lanes;
  };
  Steps steps(walk);
  BankReader reader(geometry, memory, walk.interleave);
  for (std::size_t block = 0; block < walk.blocks && !steps.ended(); ++block) {
    bool block_ended = false;
    for (std::size_t clock = 0; !block_ended; ++clock) {
      if (clock == block_rows) throw DescriptorFault{ErrorCode::field};
      reader.begin_clock();
      for (unsigned fan = 0; fan < fan_rows; ++fan) {
        const Row row = steps.row(fan);
        if (!row.inside) continue;
        const std::uint32_t* from = reader.read(row.number);
        ++rows_read;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::size_t to = place(block, clock, fan, lane);
          if (to < result.size()) result[to] = from[lane];
        }
      }
      block_ended = steps.advance();
    }
  }
  return result;
}

}  // namespace td::sim
