// SPDX-License-Identifier: Apache-2.0
// Finds the configuration that a command line names: a file, or a preset.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td {

/// Loads the file of that name, else the preset. Throws UserError.
Config find_config(const std::string& name);

}  // namespace td
