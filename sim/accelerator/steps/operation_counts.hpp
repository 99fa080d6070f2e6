// SPDX-License-Identifier: Apache-2.0
// What an operation takes on an accelerator, and what it would take on one that nothing holds up.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/configuration/geometry.hpp"
#include "sim/accelerator/driver/step_jobs.hpp"
#include "sim/accelerator/energy/level_bytes.hpp"
#include "sim/accelerator/timing/bus/memory_clock.hpp"
#include "sim/accelerator/timing/clock_use.hpp"
#include "sim/accelerator/timing/engine_spans.hpp"
#include "sim/cycles/op_cycles.hpp"

namespace td::sim {

/// What the jobs of an operation took: with what they load for the next operation and store of the
/// one before, and without its own loads and stores that are in the jobs of these.
struct OperationCounts {
  std::int64_t clocks = 0;  ///< in which its jobs were under way
  ClockUse use;             ///< of these clocks
  /// The steps of the slowest tile, or least_beats() of both operands, or of the result: the most
  /// of these. Had the operation its jobs to itself, it would take no less. 0 from StepModel.
  std::int64_t bound = 0;
  /// The most of: steps of the slowest tile, beats that the jobs read, those that they write, what
  /// the memory's bandwidth lets through of both. They take no less. 0 from StepModel.
  std::int64_t port = 0;
  std::vector<std::int64_t> tile_steps;  ///< by tile; never empty
  LevelBytes levels;
  BusBeats beats;  ///< clocks for which each way of the bus is busy; 0 from StepModel
  OpCycles work;
  std::vector<EngineSpan> spans;  ///< clocks count from the begin of the step

  std::int64_t slowest_steps() const;  ///< of the tile that has most
  std::int64_t all_steps() const;      ///< of all tiles together

  /// All but work and spans, which have no meaning for sums.
  void add(const OperationCounts& other);
};

/// OperationCounts::bound of one whose slowest tile has so many steps.
std::int64_t bound_of(const Config& config, const PlacedOperation& operation, bool wide,
                      const MemoryTiming& memory, std::int64_t steps);

/// An operation without its numbers: steps from the zeros of side B, clocks from the timeline of
/// all its jobs. No spans. Zeros on side B are in the work where `zeros_in_dense` or pairs are
/// dropped. Uses the threads of the caller's arena.
OperationCounts count_operation(const Config& config, const OperandSource& source,
                                const StepOperation& operation, bool wide,
                                const MemoryTiming& memory, bool zeros_in_dense = false);

}  // namespace td::sim
