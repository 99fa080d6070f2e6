// SPDX-License-Identifier: Apache-2.0
#include "sim/stream_sets.hpp"

#include <map>
#include <tuple>

namespace td::sim {
namespace {

/// What the streams of a block depend on: group, image, and phase or kernel position.
using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

Key class_key(Op op, Which scheduled, const Block& block) {
  const bool has_image = scheduled == Which::first;  // windows; wgrad's blocks have image 0
  const bool has_position = op != Op::wgrad || scheduled == Which::first;
  return {block.group, has_image ? block.image : 0, has_position ? block.y : 0,
          has_position ? block.x : 0};
}

/// Collects blocks; `groups_of` says how many groups a block's streams make.
template <class KeyOf, class Describe>
StreamSets collect(const Mapping& mapping, KeyOf key_of, Describe describe) {
  StreamSets result;
  std::map<Key, std::int64_t> first_groups;
  std::map<std::tuple<std::int64_t, std::int64_t>, std::size_t> set_of_phase;
  for (const Block& block : mapping.blocks()) {
    result.first_group.push_back(-1);
    if (block.rows() == 0) continue;
    const bool is_dgrad = mapping.op() == Op::dgrad;
    const auto phase = std::make_tuple(is_dgrad ? block.y : 0, is_dgrad ? block.x : 0);
    const auto [set_at, new_set] = set_of_phase.try_emplace(phase, result.sets.size());
    if (new_set) {
      result.sets.emplace_back();
      describe(block, result.sets.back());
    }
    StreamSet& set = result.sets[set_at->second];
    const auto [group_at, new_class] = first_groups.try_emplace(key_of(block), result.groups);
    if (new_class) {
      set.classes.push_back({block, result.groups});
      result.groups += set.groups;
    }
    if (group_at->second == set.classes.front().first_group) ++set.shared;
    result.first_group.back() = group_at->second;
  }
  return result;
}

}  // namespace

StreamSets shared_streams(const Mapping& mapping, Which scheduled, int tile_rows) {
  return collect(
      mapping, [&](const Block& block) { return class_key(mapping.op(), scheduled, block); },
      [&](const Block& block, StreamSet& set) {
        const bool first = scheduled == Which::first;
        set.streams = first ? block.first_streams : block.second_streams;
        set.other_streams = first ? block.second_streams : block.first_streams;
        set.groups = (set.streams - 1) / tile_rows + 1;
      });
}

StreamSets paired_streams(const Mapping& mapping) {
  return collect(
      mapping,
      [](const Block& block) {
        return Key{block.group, block.image, block.y, block.x};
      },
      [](const Block& block, StreamSet& set) {
        set.streams = set.groups = block.first_streams * block.second_streams;
        set.other_streams = 1;
      });
}

}  // namespace td::sim
