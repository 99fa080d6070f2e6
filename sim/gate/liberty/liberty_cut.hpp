// SPDX-License-Identifier: Apache-2.0
// Copies of liberty files without some cells, for tools that use all that they are given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace td::gate {

/// The text of the file `path` without the cells whose names match one of the patterns (`*`, `?`,
/// `[…]`); all else as it stands. What is in the cells is not looked at. Throws UserError.
std::string without_cells(std::string_view text, const std::string& path,
                          const std::vector<std::string>& patterns);

}  // namespace td::gate
