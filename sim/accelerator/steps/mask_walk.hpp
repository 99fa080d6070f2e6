// SPDX-License-Identifier: Apache-2.0
// The walks of compute descriptors through an operand memory that holds a mask for each row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/accelerator/model/walk_rows.hpp"
#include "sim/cycles/transpose_bits.hpp"

namespace td::sim {

/// Where a walk's rows go is found once: computes by the thousand have the same walks.
class MaskWalks {
 public:
  explicit MaskWalks(const Geometry& geometry) : geometry_(geometry) {}

  /// Masks [stream][row of the chunk] of `streams` streams: those of walk_operands(). `memory` has
  /// a mask for each place. Adds the rows that are read to `rows_read`. Throws DescriptorFault.
  template <class Mask>
  std::vector<Mask> masks(const OperandWalk& walk, const std::vector<Mask>& memory,
                          std::int64_t streams, std::int64_t chunk_rows, std::int64_t& rows_read);

 private:
  struct Move {
    std::uint32_t from;  ///< place
    std::uint32_t to;    ///< in the result; if transposed, [block][row of the chunk][lane]
  };

  const std::vector<Move>& moves(const OperandWalk& walk, std::int64_t streams,
                                 std::int64_t chunk_rows);

  static constexpr std::size_t kMostKept = std::size_t{1} << 22U;  // moves, of all walks

  const Geometry& geometry_;
  std::map<std::tuple<OperandWalk, std::int64_t, std::int64_t>, std::vector<Move>> moves_;
  std::size_t kept_ = 0;
};

inline const std::vector<MaskWalks::Move>& MaskWalks::moves(const OperandWalk& walk,
                                                            std::int64_t streams,
                                                            std::int64_t chunk_rows) {
  if (kept_ > kMostKept) {
    moves_.clear();
    kept_ = 0;
  }
  const auto key = std::make_tuple(walk, streams, chunk_rows);
  const auto found = moves_.find(key);
  if (found != moves_.end()) return found->second;
  const auto rows = static_cast<std::size_t>(chunk_rows);
  const std::size_t of_rows =
      walk.transpose ? rows * static_cast<std::size_t>(geometry_.lanes) : rows;
  std::vector<Move> moves;
  walk_rows(geometry_, walk, streams, chunk_rows, [&](const WalkPlace& at, std::size_t place) {
    moves.push_back(
        {static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(at.of * of_rows + at.row)});
  });
  kept_ += moves.size();
  return moves_[key] = std::move(moves);
}

/// Makes streams of the lanes of rows that come one after the other: lane i of the n-th row of a
/// block is element n of the block's stream i. `sources` [block][row of the chunk][lane].
template <class Mask>
void turn_streams(const std::vector<Mask>& sources, std::size_t lanes, std::size_t rows,
                  std::vector<Mask>& streams) {
  for (std::size_t matrix = 0; matrix < sources.size() / lanes; ++matrix) {
    Mask turned[8 * sizeof(Mask)] = {};
    std::copy_n(sources.begin() + static_cast<std::ptrdiff_t>(matrix * lanes), lanes, turned);
    transpose_bits<Mask>(turned);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t at = (matrix / rows * lanes + lane) * rows + matrix % rows;
      if (at < streams.size()) streams[at] = turned[lane];
    }
  }
}

template <class Mask>
std::vector<Mask> MaskWalks::masks(const OperandWalk& walk, const std::vector<Mask>& memory,
                                   std::int64_t streams, std::int64_t chunk_rows,
                                   std::int64_t& rows_read) {
  const std::vector<Move>& moves = this->moves(walk, streams, chunk_rows);
  const auto rows = static_cast<std::size_t>(chunk_rows);
  const auto lanes = static_cast<std::size_t>(geometry_.lanes);
  std::vector<Mask> result(static_cast<std::size_t>(streams) * rows);
  std::vector<Mask> sources(walk.transpose ? walk.blocks * rows * lanes : 0);
  std::vector<Mask>& to = walk.transpose ? sources : result;
  for (const Move& move : moves) to[move.to] = memory[move.from];
  if (walk.transpose) turn_streams(sources, lanes, rows, result);
  rows_read += static_cast<std::int64_t>(moves.size());
  return result;
}

}  // namespace td::sim
