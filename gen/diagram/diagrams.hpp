// SPDX-License-Identifier: Apache-2.0
// The pictures of a configuration.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/support/output.hpp"
#include "gen/diagram/drawing.hpp"
#include "gen/diagram/step.hpp"

namespace td {

/// What is to be seen in the pictures of a tile that is not dense.
struct DiagramOptions {
  int lane = -1;           ///< whose interconnect is drawn; -1: the middle one
  std::uint32_t seed = 3;  ///< of the window of the scheduling step
};

/// Block diagram: what stands in the tile, with its sizes. Many rows or columns are abbreviated.
Drawing tile_drawing(const Config& config);

/// Multipliers, adders and accumulators of a PE, and the clocks of each stage.
Drawing pe_drawing(const Config& config);

/// The elements that a lane may take, in order of priority. Not for dense tiles.
Drawing lane_drawing(const Config& config, int lane);

/// Operands that are not zero, for a picture: [slot][lane] of each side.
struct StepOperands {
  Window a;  ///< all true unless the tile is two-sided
  Window b;
};

/// Six of ten pairs or so are ineffectual, as the seed says.
StepOperands step_operands(const Config& config, std::uint32_t seed);

/// What the lanes take from a window in one step. Not for dense tiles.
Drawing step_drawing(const Config& config, const StepOperands& operands);

/// What stands between buses and tiles. Throws UserError where no accelerator is built.
Drawing accelerator_drawing(const Config& config);

/// NAME_tile.svg, NAME_pe.svg and, unless the tile is dense, NAME_lane.svg and NAME_step.svg; where
/// an accelerator is built, NAME_accelerator.svg. Throws UserError.
std::vector<OutputFile> emit_diagrams(const Config& config, const DiagramOptions& options);

}  // namespace td
