// SPDX-License-Identifier: Apache-2.0
// Copies of liberty files for other tools: without some cells, with areas and wires.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace td::gate {

/// The text of the file `path` without the cells whose names match one of the patterns (`*`, `?`,
/// `[…]`); all else as it stands. What is in the cells is not looked at. Throws UserError.
std::string without_cells(std::string_view text, const std::string& path,
                          const std::vector<std::string>& patterns);

/// The text of the file `path` in which a cell has this area, in the library's unit. Throws
/// UserError where there is no such cell, or it says nothing of its area.
std::string with_area(std::string_view text, const std::string& path, std::string_view cell,
                      double area);

/// The text of the file `path` with a wire of so many pF for each input that a net drives, by
/// default, instead of whatever wire load it has by default. Throws UserError.
std::string with_wires(std::string_view text, const std::string& path, double pF);

}  // namespace td::gate
