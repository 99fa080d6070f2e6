// SPDX-License-Identifier: Apache-2.0
// Which modules of hw/ a design is made of.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"

namespace td {

/// Those that the text of a top names, and that these name, but for what the configuration leaves
/// out; in alphabetical order, e.g. `td1_pe`.
std::vector<std::string> tile_modules(const Config& config, const std::string& top);
std::vector<std::string> accelerator_modules(const Config& config, const std::string& top);

}  // namespace td
