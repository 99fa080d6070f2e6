// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/dealing/stream_profiles.hpp"

#include <algorithm>

#include "base/support/parallel.hpp"
#include "sim/cycles/mask_table.hpp"
#include "sim/model/scheduler.hpp"

namespace td::sim {
namespace {

constexpr auto kParts = static_cast<std::int64_t>(StreamProfile{}.size());

/// Adds to the profiles of one operation.
class Profiler {
 public:
  Profiler(const Config& config, const OperandSource& source, const LayerInfo& layer,
           const Mapping& mapping, const StreamSets& sets, Which scheduled, Dealing dealing)
      : config_(config),
        source_(source),
        layer_(layer),
        mapping_(mapping),
        sets_(sets),
        scheduled_(scheduled),
        dealing_(dealing),
        scheduler_(config) {
    for (const StreamSet& set : sets.sets) {
      profiles_.sets.emplace_back(static_cast<std::size_t>(set.classes * set.streams));
    }
  }

  template <class Mask>
  void run() {
    const auto masks =
        make_stream_masks<Mask>({source_, layer_, mapping_, scheduled_, config_.format});
    const std::int64_t images = source_.has_equal_slabs() ? 1 : masks->images();
    for (std::int64_t image = 0; image < images; ++image) add_image(*masks, image);
    profiles_.image_masks = masks->image_masks();
  }

  StreamProfiles take() { return std::move(profiles_); }

 private:
  Block first_block(std::size_t s) const { return mapping_.blocks()[sets_.sets[s].first_block]; }

  template <class Mask>
  void add_image(const StreamMasks<Mask>& masks, std::int64_t image) {
    const MaskTable<Mask> table(masks, image, image + 1);
    for (std::size_t s = 0; s < sets_.sets.size(); ++s) {
      const StreamSet& set = sets_.sets[s];
      const std::vector<std::uint32_t> offsets = masks.offsets(first_block(s));
      for (const StreamPart& part : stream_parts(sets_, set, mapping_, image, image + 1)) {
        const Block block = mapping_.blocks()[set.block_of(part.stream_class)];
        StreamProfile* profiles =
            profiles_.sets[s].data() + part.stream_class * static_cast<std::ptrdiff_t>(set.streams);
        parallel_for(set.streams, [&](std::int64_t stream) {
          std::uint32_t base = 0;
          table.bases(block, image, stream, 1, &base);
          std::vector<LaneMask> rows;
          for (const std::uint32_t offset : offsets) rows.push_back(table.data()[base + offset]);
          add_stream(rows, place(s, image), profiles[stream]);
        });
      }
    }
  }

  /// Where an image's rows lie in their stream.
  struct Place {
    std::int64_t first;
    std::int64_t all;

    std::size_t part(std::size_t row) const {
      return static_cast<std::size_t>((first + static_cast<std::int64_t>(row)) * kParts / all);
    }
  };

  Place place(std::size_t s, std::int64_t image) const {
    const Block block = first_block(s);
    if (sets_.per_image || source_.has_equal_slabs()) return {0, block.segment_rows};
    return {image * block.segment_rows, block.rows()};
  }

  void add_stream(std::vector<LaneMask>& rows, const Place& place, StreamProfile& profile) const {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      profile[place.part(row)] += __builtin_popcountll(rows[row]);
    }
    if (dealing_ == Dealing::time) add_clocks(rows, place, profile);
  }

  /// Schedules a stream alone. A clock belongs to the part of the first row in the window, and has
  /// room for as many pairs as there are lanes.
  void add_clocks(std::vector<LaneMask>& rows, const Place& place, StreamProfile& profile) const {
    const std::size_t count = rows.size();
    rows.resize(count + static_cast<std::size_t>(config_.depth));  // empty ones behind the last
    Choice choice;
    for (std::size_t first = 0; first < count;) {
      profile[place.part(first)] += config_.lanes;
      scheduler_.choose(rows.data() + first, choice);
      for (int k = 0; k < config_.depth && rows[first] == 0; ++k) ++first;
    }
  }

  const Config& config_;
  const OperandSource& source_;
  const LayerInfo& layer_;
  const Mapping& mapping_;
  const StreamSets& sets_;
  Which scheduled_;
  Dealing dealing_;
  Scheduler scheduler_;
  StreamProfiles profiles_{};
};

}  // namespace

StreamProfiles stream_profiles(const Config& config, const OperandSource& source,
                               const LayerInfo& layer, const Mapping& mapping,
                               const StreamSets& sets, Which scheduled, Dealing dealing) {
  Profiler profiler(config, source, layer, mapping, sets, scheduled, dealing);
  if (config.lanes <= 16) {
    profiler.run<std::uint16_t>();
  } else if (config.lanes <= 32) {
    profiler.run<std::uint32_t>();
  } else {
    profiler.run<std::uint64_t>();
  }
  return profiler.take();
}

}  // namespace td::sim
