// SPDX-License-Identifier: Apache-2.0
// Which scheduled streams share a tile: how streams are dealt to tile rows.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/cycles/dealing/stream_profiles.hpp"
#include "sim/cycles/stream_sets.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// A stream of a class, in one image of its operand.
struct DealtStream {
  StreamPart part;
  std::int64_t stream;
};

/// Which stream takes each place of each class; place p is row p modulo the tile's rows of group
/// p / rows.
class StreamOrder {
 public:
  /// `dealing` by density or time, over all images of a stream: the densest stream that is left
  /// shares a tile of `config` with those that are most alike, part by part. Streams change places
  /// within their pool: classes that meet the same other streams, as many as have kPoolStreams
  /// together. These are windows of several images, and in wgrad channels at several kernel
  /// positions. Of sources with equal slabs only the classes of image 0, each by itself. Runs on
  /// the threads of the caller's arena.
  StreamOrder(const Config& config, const OperandSource& source, const LayerInfo& layer,
              const Mapping& mapping, const StreamSets& sets, Which scheduled, Dealing dealing);

  static constexpr std::int64_t kPoolStreams = 4096;

  /// Images whose streams change places: from a multiple of so many on. 1 where classes have none.
  std::int64_t pool_images() const { return class_images_ == 0 ? 1 : pool_classes_; }

  /// The stream at a place of a class.
  DealtStream at(const StreamSets& sets, const StreamSet& set, const StreamPart& part,
                 std::int64_t place) const {
    const auto index = static_cast<std::size_t>(&set - sets.sets.data());
    const std::int64_t dealt =
        orders_[index][static_cast<std::size_t>(part.stream_class * set.streams + place)];
    const std::int64_t stream_class = dealt / set.streams;
    const std::int64_t image = class_images_ == 0 ? part.image : stream_class % class_images_;
    return {{stream_class, image}, dealt % set.streams};
  }

 private:
  std::int64_t class_images_;  ///< class c belongs to image c modulo these; 0: to none
  std::int64_t pool_classes_ = 1;
  std::vector<std::vector<std::int64_t>> orders_;  ///< [set][class, place]: class, stream
};

}  // namespace td::sim
