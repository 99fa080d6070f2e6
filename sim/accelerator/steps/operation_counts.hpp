// SPDX-License-Identifier: Apache-2.0
// What an operation takes on an accelerator, and what it would take on one that nothing holds up.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/configuration/config.hpp"
#include "gen/configuration/geometry.hpp"
#include "sim/accelerator/driver/step_layout.hpp"
#include "sim/accelerator/energy/level_bytes.hpp"
#include "sim/accelerator/timing/engine_spans.hpp"
#include "sim/accelerator/timing/memory_clock.hpp"
#include "sim/cycles/op_cycles.hpp"

namespace td::sim {

/// What an operation took.
struct OperationCounts {
  std::int64_t clocks = 0;  ///< in which its jobs were under way
  /// The steps of the slowest tile, or the beats of both operands, or those of the result, each
  /// element moved once and nothing filled in: the most of these. 0 from StepModel.
  std::int64_t bound = 0;
  std::vector<std::int64_t> tile_steps;  ///< by tile
  LevelBytes levels;
  OpCycles work;
  std::vector<EngineSpan> spans;  ///< clocks count from the begin of the step

  /// All but work and spans, which have no meaning for sums.
  void add(const OperationCounts& other);
};

/// An operation without its numbers: steps from the zeros of side B, clocks from the timeline of
/// all its jobs. No spans. Uses the threads of the caller's arena.
OperationCounts count_operation(const Config& config, const OperandSource& source,
                                const StepOperation& operation, bool wide,
                                const MemoryTiming& memory);

}  // namespace td::sim
