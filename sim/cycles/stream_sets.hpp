// SPDX-License-Identifier: Apache-2.0
// Which blocks of an operation have the same scheduled streams, so that each is scheduled once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

/// Classes of streams that are read in the same steps. A class is the scheduled streams of one
/// block, or of several that share them: filters meet every image (fwd, dgrad), and a channel of GO
/// every kernel position (wgrad). The streams of a class form groups of as many as the tile has
/// rows; in two-sided scheduling, which shares nothing, a group is a pass.
struct StreamSet {
  std::int64_t classes = 0;
  std::size_t first_block = 0;   ///< of class 0
  std::size_t class_blocks = 0;  ///< blocks from class to class
  std::int64_t shared = 0;       ///< blocks that share a class

  std::int64_t streams = 0;        ///< of a class
  std::int64_t groups = 0;         ///< of a class
  std::int64_t other_streams = 0;  ///< of a block, on the other side

  // Group g of class c has the number first_number + c * class_numbers + g * group_numbers. Where
  // nothing is shared, that is the first of the group's passes, of which there are group_numbers.
  std::int64_t first_number = 0;
  std::int64_t class_numbers = 0;
  std::int64_t group_numbers = 1;

  std::size_t block_of(std::int64_t stream_class) const {
    return first_block + static_cast<std::size_t>(stream_class) * class_blocks;
  }
};

/// Blocks without rows are in no set.
struct StreamSets {
  std::vector<StreamSet> sets;  ///< one; of dgrad, one for each phase
  bool is_shared = false;  ///< numbers are those of groups, 0…numbers-1, else those of passes
  bool per_image = false;  ///< class c belongs to image c modulo the images of the blocks
  std::int64_t numbers = 0;
};

/// The sets of an operation with `scheduled` on side B of a tile of the configuration.
StreamSets stream_sets(const Mapping& mapping, Which scheduled, const Config& config);

/// The streams of a class in one image of their operand.
struct StreamPart {
  std::int64_t stream_class;
  std::int64_t image;
};

/// Those of a set in images begin…end-1: streams of wgrad have a part in every image, windows
/// belong to the image of their block.
std::vector<StreamPart> stream_parts(const StreamSets& sets, const StreamSet& set,
                                     const Mapping& mapping, std::int64_t begin, std::int64_t end);

}  // namespace td::sim
