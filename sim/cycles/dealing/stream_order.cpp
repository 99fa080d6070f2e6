// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/dealing/stream_order.hpp"

#include <algorithm>

#include "base/support/parallel.hpp"
#include "sim/cycles/dealing/pool_dealer.hpp"

namespace td::sim {
namespace {

/// Of the images of a pool, in memory at once.
constexpr std::int64_t kPoolMasks = 1 << 25;

/// Classes of a pool: as many as have kPoolStreams together, of the `alike` that meet the same
/// other streams; images, only as many as can be in memory at once.
std::int64_t pool_size(const OperandSource& source, const StreamSets& sets, std::int64_t alike,
                       std::int64_t image_masks) {
  std::int64_t streams = 1;
  for (const StreamSet& set : sets.sets) streams = std::max(streams, set.streams);
  std::int64_t most = StreamOrder::kPoolStreams / streams;
  if (sets.per_image) {
    most = source.has_equal_slabs()
               ? 1
               : std::min(most, kPoolMasks / std::max<std::int64_t>(image_masks, 1));
  }
  return std::clamp<std::int64_t>(most, 1, alike);
}

}  // namespace

StreamOrder::StreamOrder(const Config& config, const OperandSource& source, const LayerInfo& layer,
                         const Mapping& mapping, const StreamSets& sets, Which scheduled,
                         Dealing dealing)
    : class_images_(sets.per_image ? mapping.blocks().images() : 0) {
  if (sets.sets.empty()) return;
  const StreamProfiles profiles =
      stream_profiles(config, source, layer, mapping, sets, scheduled, dealing);
  const std::int64_t groups = mapping.blocks().groups();
  const std::int64_t alike = sets.sets.front().classes / groups;
  pool_classes_ = pool_size(source, sets, alike, profiles.image_masks);
  const std::int64_t pools = ceil_div(alike, pool_classes_);
  for (std::size_t s = 0; s < sets.sets.size(); ++s) {
    const std::int64_t streams = sets.sets[s].streams;
    const std::vector<StreamProfile>& all = profiles.sets[s];
    orders_.emplace_back(all.size());
    parallel_for(groups * pools, [&](std::int64_t pool) {
      const std::int64_t begin = pool % pools * pool_classes_;
      const std::int64_t first = (pool / pools * alike + begin) * streams;
      std::int64_t* order = orders_[s].data() + first;
      for (const std::uint32_t stream : deal_pool(
               all.data() + first, std::min(pool_classes_, alike - begin), streams, config.rows)) {
        *order++ = first + stream;
      }
    });
  }
}

}  // namespace td::sim
