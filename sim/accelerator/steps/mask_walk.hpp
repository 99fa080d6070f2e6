// SPDX-License-Identifier: Apache-2.0
// The walk of a compute descriptor through an operand memory that holds a mask for each row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "sim/accelerator/model/walk_rows.hpp"
#include "sim/cycles/transpose_bits.hpp"

namespace td::sim {

/// Makes streams of the lanes of rows that come one after the other: lane i of the n-th row of a
/// block is element n of the block's stream i.
template <class Mask>
class TurnedStreams {
 public:
  /// `streams` [stream][row of the chunk], all zeros.
  TurnedStreams(std::size_t lanes, std::size_t rows, std::vector<Mask>& streams)
      : lanes_(lanes), rows_(rows), streams_(streams) {}

  void add(std::size_t block, std::size_t source, Mask mask) {
    const std::size_t to = block * rows_ + source / lanes_;
    if (to != to_) finish();
    to_ = to;
    turned_[source % lanes_] = mask;
  }

  /// After the last row.
  void finish() {
    if (to_ == kNone) return;
    transpose_bits<Mask>(turned_);
    const std::size_t block = to_ / rows_;
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const std::size_t at = (block * lanes_ + lane) * rows_ + to_ % rows_;
      if (at < streams_.size()) streams_[at] = turned_[lane];
    }
    std::fill(std::begin(turned_), std::end(turned_), Mask{0});
    to_ = kNone;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t lanes_;
  std::size_t rows_;
  std::vector<Mask>& streams_;
  std::size_t to_ = kNone;  ///< block and row that the rows are of
  Mask turned_[8 * sizeof(Mask)] = {};
};

/// Masks [stream][row of the chunk] of `streams` streams: those of walk_operands(). `memory` has a
/// mask for each place. Adds the rows that are read to `rows_read`. Throws DescriptorFault.
template <class Mask>
std::vector<Mask> walk_masks(const Geometry& geometry, const OperandWalk& walk,
                             const std::vector<Mask>& memory, std::int64_t streams,
                             std::int64_t chunk_rows, std::int64_t& rows_read) {
  const auto rows = static_cast<std::size_t>(chunk_rows);
  std::vector<Mask> result(static_cast<std::size_t>(streams) * rows);
  TurnedStreams<Mask> turned(static_cast<std::size_t>(geometry.lanes), rows, result);
  walk_rows(geometry, walk, streams, chunk_rows, [&](const WalkPlace& at, std::size_t place) {
    ++rows_read;
    if (walk.transpose) {
      turned.add(at.of, at.row, memory[place]);
    } else {
      result[at.of * rows + at.row] = memory[place];
    }
  });
  turned.finish();
  return result;
}

}  // namespace td::sim
