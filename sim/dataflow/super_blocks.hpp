// SPDX-License-Identifier: Apache-2.0
// The blocks of an operation, those together whose streams all meet, and how streams are cut.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/configuration/config.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

/// Blocks whose first streams meet the same second streams: those of all images (fwd, dgrad), or of
/// all kernel positions (wgrad).
struct SuperBlock {
  std::int64_t repeats = 1;        ///< of its like: one for each group of the convolution
  std::int64_t units = 1;          ///< blocks; no group of streams has streams of two
  std::int64_t first_streams = 0;  ///< of a unit
  std::int64_t second_streams = 0;
  std::int64_t segments = 1;
  std::int64_t segment_rows = 0;
  bool sums_images = false;  ///< segments are images (wgrad), else units are (fwd, dgrad)

  std::int64_t rows() const { return segments * segment_rows; }
};

/// In the order of the pattern of the mapping's blocks; those without rows are left out.
std::vector<SuperBlock> super_blocks(const Mapping& mapping);

/// Groups of streams of one side: as many as the tile has lines there, the last of a unit fewer.
struct Groups {
  std::int64_t lines = 1;  ///< of the tile
  std::int64_t units = 1;
  std::int64_t streams = 0;  ///< of a unit

  std::int64_t in_unit() const { return (streams + lines - 1) / lines; }
  std::int64_t count() const { return units * in_unit(); }
  std::int64_t all_streams() const { return units * streams; }
};

Groups groups(const SuperBlock& block, Which side, const Config& config, Which scheduled);

/// How every stream of a super-block is cut. A chunk is a piece of a segment, or whole segments.
struct Chunks {
  std::int64_t pieces = 1;      ///< of a segment
  std::int64_t piece_rows = 0;  ///< of all pieces of a segment but the last
  std::int64_t segments = 1;    ///< in a chunk; 1 where segments are cut
  std::int64_t count = 1;       ///< of a stream

  /// Of the longest.
  std::int64_t rows() const { return segments * piece_rows; }
};

/// As few chunks as have at most `most_rows` rows each (0: one, however long), and these as equal
/// as can be.
Chunks chunks(const SuperBlock& block, std::int64_t most_rows);

}  // namespace td::sim
