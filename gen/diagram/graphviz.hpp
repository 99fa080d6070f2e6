// SPDX-License-Identifier: Apache-2.0
// Runs Graphviz' program `dot`: linking its libraries would make every build need them.
#pragma once

#include <string>

namespace td {

/// The drawing, whose nodes have positions and sizes, as SVG: the same bytes on every machine.
/// Throws UserError when `dot` is not installed.
std::string draw_svg(const std::string& dot);

}  // namespace td
