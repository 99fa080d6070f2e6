// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/stream_sets.hpp"

namespace td::sim {
namespace {

/// The streams of a class, whatever blocks share it.
StreamSet describe(const Block& block, Which scheduled, const Config& config) {
  const bool first = scheduled == Which::first;
  StreamSet set;
  if (config.scheduling == Scheduling::two_sided) {
    set.streams = set.groups = block.first_streams * block.second_streams;
    set.other_streams = 1;
    return set;
  }
  set.streams = first ? block.first_streams : block.second_streams;
  set.other_streams = first ? block.second_streams : block.first_streams;
  set.groups = (set.streams - 1) / config.rows + 1;
  return set;
}

}  // namespace

StreamSets stream_sets(const Mapping& mapping, Which scheduled, const Config& config) {
  const BlockList& blocks = mapping.blocks();
  const std::vector<Block>& pattern = blocks.pattern();
  const bool is_wgrad = mapping.op() == Op::wgrad;
  StreamSets result;
  result.is_shared = scheduled == Which::second && config.scheduling != Scheduling::two_sided;
  result.per_image = !is_wgrad && !result.is_shared;
  // Kernel positions of wgrad are read in the same steps: classes of one set, or one class.
  const std::size_t in_set = is_wgrad ? pattern.size() : 1;
  std::int64_t pattern_passes = 0;
  for (std::size_t p = 0; p < pattern.size(); p += in_set) {
    if (pattern[p].rows() == 0) continue;
    const std::int64_t block_passes = passes(pattern[p], config.rows, config.columns, scheduled);
    StreamSet set = describe(pattern[p], scheduled, config);
    set.first_block = p;
    set.class_blocks = is_wgrad ? 1 : pattern.size();
    set.classes = blocks.groups() * static_cast<std::int64_t>(in_set) * blocks.images();
    set.shared = 1;
    set.first_number = pattern_passes;
    set.group_numbers = block_passes / set.groups;
    if (result.is_shared) {
      set.shared = static_cast<std::int64_t>(in_set) * blocks.images();
      set.classes /= set.shared;
      set.class_blocks *= static_cast<std::size_t>(set.shared);
      set.first_number = result.numbers;
      set.class_numbers = set.groups;
      set.group_numbers = 1;
      result.numbers += set.classes * set.groups;
    }
    pattern_passes += block_passes * static_cast<std::int64_t>(in_set);
    result.sets.push_back(set);
  }
  if (result.is_shared) return result;
  for (StreamSet& set : result.sets) {
    set.class_numbers = pattern_passes / static_cast<std::int64_t>(in_set);
  }
  result.numbers = pattern_passes * blocks.groups() * blocks.images();
  return result;
}

std::vector<StreamPart> stream_parts(const StreamSets& sets, const StreamSet& set,
                                     const Mapping& mapping, std::int64_t begin, std::int64_t end) {
  std::vector<StreamPart> parts;
  const std::int64_t images = sets.per_image ? mapping.blocks().images() : 1;
  for (std::int64_t outer = 0; outer < set.classes / images; ++outer) {
    for (std::int64_t image = begin; image < end; ++image) {
      parts.push_back({sets.per_image ? outer * images + image : outer, image});
    }
  }
  return parts;
}

}  // namespace td::sim
