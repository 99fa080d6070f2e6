// SPDX-License-Identifier: Apache-2.0
// The masks of one side that are in memory at once.
#pragma once

#include <cstdint>
#include <vector>

#include "base/support/parallel.hpp"
#include "sim/masks/stream_masks.hpp"

namespace td::sim {

/// Masks of one side for a range of images, or for all at once where streams have no images.
template <class Mask>
class MaskTable {
 public:
  MaskTable(const StreamMasks<Mask>& masks, std::int64_t begin, std::int64_t end)
      : masks_(masks), begin_(masks.images() == 1 ? 0 : begin) {
    if (masks.images() == 1) end = 1;
    table_.resize(static_cast<std::size_t>((end - begin_) * masks.image_masks()));
    parallel_for(end - begin_, [&](std::int64_t image) {
      masks.load(begin_ + image, table_.data() + image * masks.image_masks());
    });
  }

  const Mask* data() const { return table_.data(); }

  void bases(const Block& block, std::int64_t image, std::int64_t begin, std::int64_t count,
             std::uint32_t* bases) const {
    masks_.bases(block, begin, count, bases);
    if (masks_.images() == 1) return;
    const auto skip = static_cast<std::uint32_t>((image - begin_) * masks_.image_masks());
    for (std::int64_t i = 0; i < count; ++i) bases[i] += skip;
  }

 private:
  const StreamMasks<Mask>& masks_;
  std::int64_t begin_;
  std::vector<Mask> table_;
};

}  // namespace td::sim
