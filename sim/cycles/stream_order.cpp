// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/stream_order.hpp"

#include <algorithm>
#include <numeric>

#include "gen/base/parallel.hpp"
#include "sim/cycles/mask_table.hpp"

namespace td::sim {
namespace {

using Counts = std::vector<std::vector<std::int64_t>>;  ///< [set][class * streams]

template <class Mask>
void count_effectual(const StreamMasks<Mask>& masks, const Mapping& mapping, const StreamSets& sets,
                     std::int64_t image, Counts& counts) {
  const MaskTable<Mask> table(masks, image, image + 1);
  for (std::size_t s = 0; s < sets.sets.size(); ++s) {
    const StreamSet& set = sets.sets[s];
    const std::vector<std::uint32_t> offsets = masks.offsets(mapping.blocks()[set.first_block]);
    for (const StreamPart& part : stream_parts(sets, set, mapping, image, image + 1)) {
      const Block block = mapping.blocks()[set.block_of(part.stream_class)];
      parallel_for(set.streams, [&](std::int64_t stream) {
        std::uint32_t base = 0;
        table.bases(block, image, stream, 1, &base);
        std::int64_t effectual = 0;
        for (const std::uint32_t offset : offsets) {
          effectual += __builtin_popcountll(table.data()[base + offset]);
        }
        counts[s][static_cast<std::size_t>(part.stream_class * set.streams + stream)] += effectual;
      });
    }
  }
}

template <class Mask>
void count_effectual(const OperandSource& source, const LayerInfo& layer, const Mapping& mapping,
                     const StreamSets& sets, Which scheduled, Format format, Counts& counts) {
  const auto masks = make_stream_masks<Mask>({source, layer, mapping, scheduled, format});
  const std::int64_t images = source.has_equal_slabs() ? 1 : masks->images();
  for (std::int64_t image = 0; image < images; ++image) {
    count_effectual(*masks, mapping, sets, image, counts);
  }
}

}  // namespace

StreamOrder::StreamOrder(const OperandSource& source, const LayerInfo& layer,
                         const Mapping& mapping, const StreamSets& sets, Which scheduled,
                         Format format) {
  Counts counts;
  for (const StreamSet& set : sets.sets) {
    counts.emplace_back(static_cast<std::size_t>(set.classes * set.streams));
  }
  if (mapping.lanes() <= 16) {
    count_effectual<std::uint16_t>(source, layer, mapping, sets, scheduled, format, counts);
  } else if (mapping.lanes() <= 32) {
    count_effectual<std::uint32_t>(source, layer, mapping, sets, scheduled, format, counts);
  } else {
    count_effectual<std::uint64_t>(source, layer, mapping, sets, scheduled, format, counts);
  }
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const std::int64_t streams = sets.sets[s].streams;
    std::vector<std::uint32_t> orders(counts[s].size());
    for (std::int64_t begin = 0; begin < static_cast<std::int64_t>(orders.size());
         begin += streams) {
      const auto first = orders.begin() + begin;
      std::iota(first, first + streams, 0U);
      const std::int64_t* of_class = counts[s].data() + begin;
      std::stable_sort(first, first + streams, [of_class](std::uint32_t x, std::uint32_t y) {
        return of_class[x] > of_class[y];
      });
    }
    orders_.push_back(std::move(orders));
  }
}

}  // namespace td::sim
