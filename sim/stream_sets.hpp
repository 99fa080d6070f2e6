// SPDX-License-Identifier: Apache-2.0
// Which blocks of an operation have the same scheduled streams, so that each is scheduled once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/mapping.hpp"

namespace td::sim {

/// The scheduled streams of one block, or of several that share them: filters meet every image
/// (fwd, dgrad), and a channel of GO every kernel position (wgrad).
struct StreamClass {
  Block block;                   ///< the first of those blocks
  std::int64_t first_group = 0;  ///< number of its first group, over all classes
};

/// Classes whose streams are read in the same steps: all of them; of dgrad, those of one phase.
struct StreamSet {
  std::vector<StreamClass> classes;
  std::int64_t shared = 0;         ///< blocks that share a class
  std::int64_t streams = 0;        ///< of a class
  std::int64_t groups = 0;         ///< of a class: streams in groups of the tile's rows
  std::int64_t other_streams = 0;  ///< of a block, on the other side

  const Block& block() const { return classes.front().block; }
};

/// Blocks without rows are in no set.
struct StreamSets {
  std::vector<StreamSet> sets;
  std::vector<std::int64_t> first_group;  ///< [block]: that of its class; -1 without rows
  std::int64_t groups = 0;                ///< of all classes
};

/// One-sided scheduling of `scheduled` by `tile_rows` tile rows.
StreamSets shared_streams(const Mapping& mapping, Which scheduled, int tile_rows);

/// Two-sided scheduling in a single PE: a group is a pass, and nothing is shared.
StreamSets paired_streams(const Mapping& mapping);

}  // namespace td::sim
