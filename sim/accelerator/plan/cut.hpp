// SPDX-License-Identifier: Apache-2.0
// How an operation is cut to fit the accelerator's memories, and about how long that takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/plan/box.hpp"
#include "sim/accelerator/plan/expected_steps.hpp"
#include "sim/accelerator/plan/objective/plan_costs.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/accelerator/timing/bus/memory_timing.hpp"

namespace td::sim {

/// What is asked of a plan.
struct PlanOptions {
  Which scheduled = Which::first;  ///< the operand on side B
  bool dense = false;              ///< drop nothing
  double zeros = 0.5;              ///< the share of them that is expected in the scheduled operand
  MemoryTiming memory = {};        ///< that it loads from
};

/// Pieces in which what a part needs of an operand is loaded, at most.
constexpr std::int64_t kPieces = 8;

/// How the streams of a compute descriptor lie on the tiles. Lanes come in whole blocks.
struct Spread {
  std::int64_t row_lines = 0;
  std::int64_t row_groups = 0;  ///< of a line
  std::int64_t lane_lines = 0;
  std::int64_t line_blocks = 0;  ///< blocks of lanes of a line
};

/// Clocks in which rows and lanes are filled in, at once.
struct Fills {
  std::int64_t rows = 0;
  std::int64_t lanes = 0;

  std::int64_t both() const { return std::max(rows, lanes); }
};

/// About how many clocks an operation takes.
struct Estimate {
  std::int64_t compute = 0;
  std::int64_t collect = 0;  ///< of the collectors alone
  std::int64_t load = 0;
  std::int64_t store = 0;
  std::int64_t total = 0;
  std::int64_t parts = 0;       ///< of all supers
  std::int64_t lone_loads = 0;  ///< of the side that loads least of those with no room for another
                                ///< box meanwhile; 0: there is room
};

/// The results are computed super by super: what of the operands one needs is loaded part by part
/// of the sums, and for each part every sub of the super runs through all chunks of the part.
struct Cut {
  PlanOptions options;
  int across = 0;     ///< log2 of the tiles beside each other
  Extents chunk{};    ///< of the sums: one compute descriptor
  Extents part{};     ///< ... in the operand memories at once
  Extents row_sub{};  ///< of the result rows: one compute descriptor
  Extents row_super{};
  std::int64_t lane_sub = 0;  ///< blocks of lanes
  std::int64_t lane_super = 0;
  bool rows_outer = false;         ///< supers of rows are the outer loop
  bool together = false;           ///< a super has all blocks of the mapping
  bool keeps = false;              ///< the estimate is of computes that keep what they may
  std::int64_t slots[2] = {2, 2};  ///< of the operand memory of the rows, of the lanes
  bool pairs = false;              ///< the words of a pass leave in pairs
  bool adds = false;               ///< ... and are added to those of other chunks
  std::int64_t area_words = 0;     ///< of the results of a sub
  std::int64_t areas = 0;          ///< in a result memory
  Fills fills;                     ///< of a compute descriptor
  std::int64_t pass_clocks = 0;    ///< ... and of its passes
  std::int64_t computes = 0;       ///< descriptors
  Estimate estimate;

  /// Whether side B's streams are the result rows.
  bool rows_on_b(const Operation& operation) const {
    return operation.rows_which() == options.scheduled;
  }
};

/// So many streams of rows and blocks of lanes on the tiles.
Spread spread(const Geometry& geometry, int across, bool rows_on_b, std::int64_t row_streams,
              std::int64_t lane_blocks);

/// Result rows that are stored of a tile at once, of those of its line, so many words apart: all,
/// but where tiles `add` to what they have, and one whose results are stored cannot meanwhile.
std::int64_t store_turn(const Geometry& geometry, const Spread& on, std::int64_t pitch, bool adds);

/// Of passes of an operation, with what is asked of its plan.
ExpectedSteps expected_steps(const Config& config, const Operation& operation,
                             const PlanOptions& options);

/// What cuts that take so many clocks are compared by: for time, these and a little of what is
/// loaded, which costs energy even where nobody waits for it.
double score_of(const Operation& operation, const Geometry& geometry, const ExpectedSteps& steps,
                const Aim& aim, const Cut& cut, std::int64_t clocks);

/// The cheapest by its estimate of some hundred thousand cuts, and behind it the cheapest of other
/// shapes of compute descriptors, `most` in all; then half as many whose computes keep what they
/// may. `steps` are those of the options. Throws CannotPlan, which names `field`, when none fits.
std::vector<Cut> choose_cuts(const Operation& operation, const Geometry& geometry,
                             const PlanOptions& options, const ExpectedSteps& steps,
                             const std::string& field, const Aim& aim, std::size_t most);

/// The cut with other options, when it fits with them, too.
std::optional<Cut> cut_with(const Operation& operation, const Geometry& geometry, Cut cut,
                            const PlanOptions& options, const ExpectedSteps& steps);

}  // namespace td::sim
