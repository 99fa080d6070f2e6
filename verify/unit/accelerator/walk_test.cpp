// SPDX-License-Identifier: Apache-2.0
// Walks of compute descriptors, by hand.
#include "sim/accelerator/model/walk.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "sim/accelerator/job_error.hpp"
#include "sim/accelerator/model/operand_banks.hpp"
#include "sim/accelerator/model/walk_counts.hpp"

namespace {

using td::sim::ErrorCode;
using td::sim::OperandWalk;
using td::sim::Streams;

/// Two lanes; row r holds 10 * r + 1 and 10 * r + 2.
struct Memory {
  explicit Memory(std::int64_t fill_rows = 1, unsigned interleave = 0) : rows(16) {
    geometry.lanes = 2;
    geometry.operand_rows = 8;
    geometry.fill_rows = fill_rows;
    for (std::uint32_t row = 0; row < 8; ++row) {
      const auto at = static_cast<std::size_t>(2 * td::sim::place_of(geometry, row, interleave));
      rows[at] = 10 * row + 1;
      rows[at + 1] = 10 * row + 2;
    }
  }
  Streams walk(const OperandWalk& how, std::int64_t streams, std::int64_t chunk_rows) const {
    std::int64_t read = 0;
    return td::sim::walk_operands(geometry, how, rows, streams, chunk_rows, read);
  }
  /// Rows that a walk reads.
  std::int64_t read(const OperandWalk& how, std::int64_t streams, std::int64_t chunk_rows) const {
    std::int64_t read = 0;
    td::sim::walk_operands(geometry, how, rows, streams, chunk_rows, read);
    return read;
  }
  ErrorCode error(const OperandWalk& how, std::int64_t streams, std::int64_t chunk_rows) const {
    try {
      walk(how, streams, chunk_rows);
    } catch (const td::sim::DescriptorFault& fault) {
      return fault.error;
    }
    return ErrorCode::none;
  }

  td::Geometry geometry;
  std::vector<std::uint32_t> rows;
};

}  // namespace

TEST_CASE("walk: loops, padding, rows and streams that are missing") {
  OperandWalk walk;
  walk.row = 0xffffffff;  // padding is in front of the first row
  walk.y = -1;
  walk.y_bound = 3;
  walk.blocks = 3;
  walk.levels[0] = {2, 1, 0, 1};                                    // two rows of a stream
  walk.levels[3] = {2, 1, 0, 1};                                    // two back, and two on
  CHECK(Memory().walk(walk, 3, 3) == Streams{0, 0, 1, 2, 0, 0,      // rows -1, 0
                                             11, 12, 21, 22, 0, 0,  // rows 1, 2
                                             0, 0, 0, 0, 0, 0});
  CHECK(Memory().read(walk, 3, 3) == 3);  // 0, 1, 2
}

TEST_CASE("walk: blocks are transposed") {
  OperandWalk walk;
  walk.transpose = true;
  walk.blocks = 2;
  walk.levels[0] = {3, 0, 0, 1};
  walk.levels[3] = {2, 0, 0, 1};
  // Rows 0..2, then 3..5. The fourth of a block is missing, and so is the fourth stream.
  CHECK(Memory().walk(walk, 3, 2) == Streams{1, 11, 21, 0, 2, 12, 22, 0, 31, 41, 51, 0});
  CHECK(Memory().read(walk, 3, 2) == 6);
}

TEST_CASE("walk: what it refuses") {
  const Memory memory;
  OperandWalk walk;
  walk.blocks = 2;
  CHECK(memory.error(walk, 2, 1) == ErrorCode::none);
  CHECK(memory.error(walk, 3, 1) == ErrorCode::field);  // fewer streams than are wanted
  walk.levels[1].count = 2;
  CHECK(memory.error(walk, 2, 1) == ErrorCode::field);  // more rows than a stream has
  CHECK(memory.error(walk, 2, 2) == ErrorCode::none);
  walk.levels[5].count = 0;
  CHECK(memory.error(walk, 2, 2) == ErrorCode::field);
  walk.levels[5].count = 1;
  walk.row = 8;
  CHECK(memory.error(walk, 2, 2) == ErrorCode::field);  // beyond the operand memory
  walk.y = -1;
  CHECK(memory.error(walk, 2, 2) == ErrorCode::none);  // which padding does not read
}

TEST_CASE(
    "walk: several rows in a clock are those of neighbouring streams, from banks of their own") {
  OperandWalk walk;
  walk.fan = walk.last_fan = 2;
  walk.fan_row_step = 2;  // stream s begins at row 2 * s
  walk.interleave = 1;
  walk.blocks = 2;
  walk.levels[0] = {2, 0, 0, 1};
  walk.levels[3] = {2, 0, 0, 3};
  const Streams all = {1, 2, 11, 12, 21, 22, 31, 32, 41, 42, 51, 52, 61, 62, 71, 72};
  CHECK(Memory(2, 1).walk(walk, 4, 2) == all);
  CHECK(Memory(2, 1).read(walk, 4, 2) == 8);
  CHECK(Memory(2, 0).walk(walk, 4, 2) != all);  // it was loaded in another way
  OperandWalk padded = walk;
  padded.fan_y_step = 1;  // each second stream is padding
  CHECK(Memory(2, 1).walk(padded, 4, 2) ==
        Streams{1, 2, 11, 12, 0, 0, 0, 0, 41, 42, 51, 52, 0, 0, 0, 0});
  walk.interleave = 0;  // rows 0 and 2 are in one bank
  CHECK(Memory(2, 0).error(walk, 4, 2) == ErrorCode::field);
  CHECK(Memory(4, 0).error(walk, 4, 2) == ErrorCode::none);
  CHECK(Memory(1, 0).error(walk, 4, 2) == ErrorCode::field);  // it has one bank
  walk.interleave = 3;
  CHECK(Memory(2, 0).error(walk, 4, 2) == ErrorCode::field);
}

TEST_CASE("walk: the last rows in a clock are fewer") {
  OperandWalk walk;
  walk.fan = 2;
  walk.last_fan = 1;
  walk.fan_row_step = 1;
  walk.levels[3] = {2, 0, 0, 2};  // streams from rows 0 and 1, then from row 2
  walk.levels[4] = {2, 0, 0, 2};  // ... 4 and 5, 6
  walk.blocks = 4;
  const Streams six = {1, 2, 11, 12, 21, 22, 41, 42, 51, 52, 61, 62};
  CHECK(Memory(2, 0).walk(walk, 6, 1) == six);
  CHECK(Memory(2, 0).read(walk, 6, 1) == 6);
  CHECK(Memory(2, 0).error(walk, 5, 1) == ErrorCode::field);
  CHECK(Memory(2, 0).error(walk, 7, 1) == ErrorCode::field);
  CHECK(Memory(4, 0).error(walk, 6, 1) == ErrorCode::none);
  for (const auto& [fan, last] : {std::pair{2, 0}, std::pair{1, 2}, std::pair{3, 1}}) {
    OperandWalk wrong = walk;
    wrong.fan = static_cast<std::uint8_t>(fan);
    wrong.last_fan = static_cast<std::uint8_t>(last);
    CHECK(Memory(2, 0).error(wrong, td::sim::walk_streams(Memory(2).geometry, wrong), 1) ==
          ErrorCode::field);
  }
  // Behind the loops come as many zeros at once as the last rows lack, then as many as can.
  walk.levels[4].count = 1;
  walk.blocks = 3;
  CHECK(Memory(2, 0).walk(walk, 4, 1) == Streams{1, 2, 11, 12, 21, 22, 0, 0});
  CHECK(Memory(4, 0).walk(walk, 4, 1) == Streams{1, 2, 11, 12, 21, 22, 0, 0});
  walk.blocks = 4;
  CHECK(Memory(2, 0).error(walk, 6, 1) == ErrorCode::none);
  CHECK(Memory(4, 0).error(walk, 8, 1) == ErrorCode::none);
  CHECK(Memory(4, 0).error(walk, 6, 1) == ErrorCode::none);  // some of the last zeros go nowhere
  CHECK(Memory(4, 0).error(walk, 4, 1) == ErrorCode::field);
  walk.blocks = 1;  // less than the loops
  CHECK(Memory(2, 0).walk(walk, 2, 1) == Streams{1, 2, 11, 12});
}

TEST_CASE("walk: how many streams it makes, in how many clocks") {
  const td::Geometry geometry = Memory(2).geometry;  // of two lanes
  OperandWalk walk;
  walk.fan = 2;
  walk.last_fan = 1;
  walk.levels[3].count = 4;
  walk.levels[4].count = 3;
  CHECK(td::sim::fan_loop_rows(walk) == 7);
  CHECK(td::sim::blocks_of(geometry, walk, 21 + 5) == 12 + 3);
  walk.blocks = 15;
  CHECK(td::sim::walk_streams(geometry, walk) == 26);
  CHECK(td::sim::fill_clocks(geometry, walk, 10) == 150);
  walk.blocks = 6;
  CHECK(td::sim::walk_streams(geometry, walk) == 7 + 4);
  walk.transpose = true;
  walk.levels[0].count = 3;  // five rows, in three clocks
  walk.levels[1].count = 2;
  walk.levels[3].count = 5;
  walk.levels[4].count = 1;
  CHECK(td::sim::blocks_of(geometry, walk, 11) == 6);
  CHECK(td::sim::walk_streams(geometry, walk) == 12);
  // Five blocks of ten rows and four zeros, one of zeros, and two rows of zeros.
  CHECK(td::sim::fill_clocks(geometry, walk, 7) == 5 * (6 + 2) + 7 + 1);
  CHECK(td::sim::fill_clocks(Memory(1).geometry, walk, 7) == 5 * (6 + 4) + 14 + 2);
}

TEST_CASE("walk: several rows of a block that is transposed come in a clock") {
  OperandWalk walk;
  walk.transpose = true;
  walk.fan = walk.last_fan = 2;
  walk.fan_row_step = 1;
  walk.levels[0] = {2, 0, 0, 2};  // rows 0 and 1, 2 and 3
  CHECK(Memory(2, 0).walk(walk, 2, 2) == Streams{1, 11, 21, 31, 2, 12, 22, 32});
  CHECK(Memory(2, 0).walk(walk, 2, 3) == Streams{1, 11, 21, 31, 0, 0, 2, 12, 22, 32, 0, 0});
  CHECK(Memory(2, 0).error(walk, 2, 1) == ErrorCode::field);
  walk.last_fan = 1;  // rows 0 and 1, 2
  CHECK(Memory(2, 0).walk(walk, 2, 2) == Streams{1, 11, 21, 0, 2, 12, 22, 0});
  walk.levels[1] = {2, 0, 0, 1};  // ... 3 and 4, 5
  CHECK(Memory(2, 0).walk(walk, 2, 3) == Streams{1, 11, 21, 31, 41, 51, 2, 12, 22, 32, 42, 52});
  CHECK(Memory(2, 0).error(walk, 2, 2) == ErrorCode::field);
  CHECK(Memory(2, 0).error(walk, 3, 3) == ErrorCode::field);
  walk.blocks = 2;
  CHECK(Memory(2, 0).error(walk, 3, 3) == ErrorCode::none);
  CHECK(Memory(2, 0).error(walk, 2, 3) == ErrorCode::field);  // the second block is for nothing
}

TEST_CASE("walk: rows of an operand memory have places of their own, whatever the interleaving") {
  constexpr std::int64_t rows = 256;
  td::Geometry geometry;
  geometry.operand_rows = rows;
  for (const std::int64_t banks : {1, 2, 4, 8}) {
    geometry.fill_rows = banks;
    for (std::int64_t beat = 1; 2 * beat <= std::max<std::int64_t>(banks, 2); beat *= 2) {
      geometry.beat_rows = beat;
      for (unsigned interleave = 0; banks << interleave <= rows; ++interleave) {
        CAPTURE(banks);
        CAPTURE(beat);
        CAPTURE(interleave);
        const auto bank = [&](std::int64_t row) {
          const std::int64_t place = td::sim::place_of(geometry, row, interleave);
          return place / (rows / banks);
        };
        std::set<std::int64_t> places;
        for (std::int64_t row = 0; row < rows; ++row) {
          places.insert(td::sim::place_of(geometry, row, interleave));
          if (beat == 1) CHECK(bank(row) == (row >> interleave) % banks);
          // What a fill reads at once.
          std::set<std::int64_t> filled;
          for (std::int64_t i = 0; i < banks; ++i) {
            filled.insert(bank((row + (3 * i << interleave)) % rows));
          }
          CHECK(filled.size() == static_cast<std::size_t>(banks));
          // What a load writes at once.
          std::set<std::int64_t> loaded;
          for (std::int64_t i = 0; i < beat && row + i < rows; ++i) loaded.insert(bank(row + i));
          CHECK(loaded.size() == static_cast<std::size_t>(std::min(beat, rows - row)));
        }
        CHECK(places.size() == rows);
        CHECK(*places.rbegin() == rows - 1);
      }
    }
  }
}
