// SPDX-License-Identifier: Apache-2.0
// Emits the staging buffer of one tile row or column, and says what moves where in it.
#pragma once

#include <string>
#include <vector>

#include "gen/config.hpp"
#include "gen/verilog.hpp"

namespace td {

/// What the intake tells the staging buffers of one side, the same for all: `load`, the places that
/// load; `stay`, one-hot, how many rows stay, so that the offered rows go behind them; `shift_{p}`,
/// one-hot, how many places further back the row stands that moves to place p. Names come without
/// the suffix of a port, directions are the buffer's.
std::vector<Port> staging_controls(const Config& config);

/// One row that a place of a staging buffer may take when it loads.
struct RowSource {
  std::string select;  ///< the signal that chooses it; one of a place's selects is high
  bool offered;        ///< an offered row, else one held further back
  int row;             ///< number of the offered row or of the place
};

/// The sources of place `place` (0 is the row in use); the controls are named with `prefix` and
/// `suffix` around them.
std::vector<RowSource> row_sources(const Config& config, int place, const std::string& prefix,
                                   const std::string& suffix);

/// One buffer of `depth` rows, all of them in the window. Rows leave at the front and offered rows
/// follow in the same clock; the enables are known early in it, the selects late. Which rows are
/// real is known to the intake alone.
std::string emit_staging(const Config& config);

}  // namespace td
