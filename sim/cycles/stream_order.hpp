// SPDX-License-Identifier: Apache-2.0
// Which scheduled streams share a tile: how the streams of a class are dealt to tile rows.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cycles/stream_sets.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// Tile rows advance together, so that streams of like density wait less for each other. Which
/// streams of a class share a tile is free: every stream meets the same others, row by row, and
/// only the order in which its pairs are added follows the schedule of all rows.
enum class Dealing {
  natural,  ///< neighbours, as the mapping numbers them
  density   ///< those whose effectual elements are alike, in number and in where they lie
};

/// The names that the command line and results use.
constexpr const char* to_string(Dealing dealing) {
  return dealing == Dealing::natural ? "natural" : "density";
}

/// The streams of every class in the order in which they are dealt.
class StreamOrder {
 public:
  /// By density, over all images of a stream: the densest stream that is left shares a tile of
  /// `tile_rows` rows with those that are most alike, part by part. Of sources with equal slabs
  /// only the classes of image 0. Runs on the threads of the caller's arena.
  StreamOrder(const OperandSource& source, const LayerInfo& layer, const Mapping& mapping,
              const StreamSets& sets, Which scheduled, Format format, int tile_rows);

  /// [streams of the set]: the numbers of the class's streams.
  const std::uint32_t* of(const StreamSets& sets, const StreamSet& set,
                          std::int64_t stream_class) const {
    const auto index = static_cast<std::size_t>(&set - sets.sets.data());
    return orders_[index].data() + stream_class * set.streams;
  }

 private:
  std::vector<std::vector<std::uint32_t>> orders_;  ///< [set][class * streams]
};

}  // namespace td::sim
