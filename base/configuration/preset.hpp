// SPDX-License-Identifier: Apache-2.0
// Finds the configuration that a command line names: a file, or a preset.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/support/embedded.hpp"

namespace td {

/// The configurations of presets/, e.g. `paper_bf16`.
const std::vector<EmbeddedFile>& presets();

/// Loads the file of that name, else the preset. Throws UserError; `option` and `legal` are what
/// the message calls the option and its values (default: a file or one of the presets, by name).
Config find_config(const std::string& name, const std::string& option = "--config",
                   const std::string& legal = "");

}  // namespace td
