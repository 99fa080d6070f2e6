// SPDX-License-Identifier: Apache-2.0
// What stands around tiles and memories spends: fills, transposers, collectors, engines, control.
#pragma once

#include <string>

namespace td::sim {

/// In dense steps of the tile that it was measured beside.
struct SurroundingsCosts {
  double clock = 0;               ///< of control, in a clock
  double clock_of_row_byte = 0;   ///< of fills and engines, in a clock for each byte of a row
  double clock_of_tile_line = 0;  ///< of what each tile has of its own, for each of its rows
  double filled = 0;              ///< a byte that a fill reads
  double transposed = 0;          ///< ... and each byte in a transposer that moves
  double passed = 0;              ///< a byte that scratchpads hand to a tile
  double collected = 0;           ///< a byte that goes into a result memory
  double loaded = 0;              ///< a byte that comes over the bus
  double stored = 0;              ///< a byte that leaves over it
};

struct SurroundingsCost {
  const char* name;  ///< in files
  double SurroundingsCosts::*value;
};

inline constexpr SurroundingsCost kSurroundingsCosts[] = {
    {"clock", &SurroundingsCosts::clock},
    {"clock_of_row_byte", &SurroundingsCosts::clock_of_row_byte},
    {"clock_of_tile_line", &SurroundingsCosts::clock_of_tile_line},
    {"filled", &SurroundingsCosts::filled},
    {"transposed", &SurroundingsCosts::transposed},
    {"passed", &SurroundingsCosts::passed},
    {"collected", &SurroundingsCosts::collected},
    {"loaded", &SurroundingsCosts::loaded},
    {"stored", &SurroundingsCosts::stored},
};

/// The file is JSON: format "tensordash-surroundings-1", dense_step_macs (of bf16, in a dense step
/// of its tile) and costs, one for each of SurroundingsCosts. Other members are ignored.
struct Surroundings {
  double macs = 0;
  SurroundingsCosts costs;
};

/// `file` names the text in messages. Throws UserError when it is not of this form or has a figure
/// out of its range.
Surroundings parse_surroundings(const std::string& text, const std::string& file);

/// The one of constraints/surroundings/, measured by scripts/surroundings.
const Surroundings& built_in_surroundings();

}  // namespace td::sim
