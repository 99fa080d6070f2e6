// SPDX-License-Identifier: Apache-2.0
// What each scheduled stream of an operation asks of a tile, in equal parts of its length.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/cycles/stream_sets.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// How streams are dealt to the rows of tiles. Tile rows advance together, so that streams that are
/// alike wait less for each other. Which streams share a tile is free among those that meet the
/// same others: each still meets them row by row, and only the order in which its pairs are added
/// follows the schedule of all rows.
enum class Dealing {
  natural,  ///< neighbours, as the mapping numbers them
  density,  ///< those whose effectual elements are alike, in number and in where they lie
  time      ///< those that take alike many clocks, too, each scheduled alone
};

/// The names that the command line and results use.
constexpr const char* to_string(Dealing dealing) {
  return dealing == Dealing::natural ? "natural" : dealing == Dealing::density ? "density" : "time";
}

/// Of one stream. More parts say less of the time that a tile takes, since a schedule moves pairs
/// from row to row.
using StreamProfile = std::array<std::int32_t, 8>;

/// Of all streams of an operation, over all images of each; of operands with equal slabs, those of
/// image 0 alone.
struct StreamProfiles {
  std::vector<std::vector<StreamProfile>> sets;  ///< [set][class, stream]
  std::int64_t image_masks;                      ///< of the operand: what an image takes in memory
};

/// Effectual elements of each part and, dealt by time, the pairs that the part's clocks have room
/// for. Runs on the threads of the caller's arena.
StreamProfiles stream_profiles(const Config& config, const OperandSource& source,
                               const LayerInfo& layer, const Mapping& mapping,
                               const StreamSets& sets, Which scheduled, Dealing dealing);

}  // namespace td::sim
