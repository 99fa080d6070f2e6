// SPDX-License-Identifier: Apache-2.0
// Where the pins of cells are: what is read of a LEF file.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/gate/layout/point.hpp"

namespace td::gate {

/// A MACRO; µm from its lower left corner.
struct LefCell {
  Point size{};
  std::map<std::string, Point> pins;  ///< the middle of a pin's first rectangle
};

/// Cells by name. `path`: what messages call the text. Throws UserError: no cell, a number that is
/// none or beyond any cell.
std::map<std::string, LefCell> parse_lef(std::string_view text, const std::string& path);

/// The same of a file. Throws UserError: unreadable, and as above.
std::map<std::string, LefCell> read_lef(const std::string& path);

}  // namespace td::gate
