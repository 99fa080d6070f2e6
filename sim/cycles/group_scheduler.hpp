// SPDX-License-Identifier: Apache-2.0
// Schedules all groups of streams of an operation, on all cores: loads their masks chunk by chunk
// and hands them to the batch scheduler.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/cycles/batch_kernel.hpp"
#include "sim/cycles/dealing/stream_order.hpp"
#include "sim/cycles/stream_sets.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// Groups that were scheduled at once: cycles[i] belongs to the group with the number numbers[i]
/// (as in StreamSet). An image of wgrad is one stream of several that a group has: its cycles add
/// up. So do those of the pieces of a stream.
struct ScheduledGroups {
  const StreamSet& set;
  const std::vector<std::int64_t>& numbers;
  const std::vector<std::int64_t>& images;  ///< the operand's image of each, 0 where it has none
  const std::vector<std::uint32_t>& cycles;
  const LaneCounts& lanes;
  std::int64_t repeats;  ///< images that each stands for: more than one where all slabs are equal
  std::int64_t piece;    ///< of every stream
};

/// One operation to be scheduled. All that it refers to must outlive the call.
struct GroupJob {
  const OperandSource& source;
  const LayerInfo& layer;
  const Mapping& mapping;
  const StreamSets& sets;
  Which scheduled;
  bool dense;  ///< drop nothing
  /// [set]: streams are cut every so many rows, each piece scheduled by itself; empty: they are
  /// not.
  std::vector<std::int64_t> piece_rows;
  /// Whether a group is asked for, by its number; empty: all are. Others may be scheduled, too.
  std::function<bool(const StreamSet& set, std::int64_t number)> wanted;
  /// How streams are dealt to tile rows; null: neighbours together. Not for two-sided scheduling.
  const StreamOrder* order = nullptr;
};

/// Calls `take` for every batch of groups, in any order, one call at a time. Uses the threads of
/// the caller's arena.
void schedule_groups(const Config& config, const GroupJob& job,
                     const std::function<void(const ScheduledGroups&)>& take);

}  // namespace td::sim
