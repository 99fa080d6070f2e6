// SPDX-License-Identifier: Apache-2.0
// Values that a command line has instead of a scenario's: put into what was read, or into the file.
#pragma once

#include <toml++/toml.h>

#include <string>

namespace td::job {

/// Carries out "TABLE.KEY=VALUE", the value as TOML has it. Throws UserError.
void apply_setting(toml::table& root, const std::string& setting);

/// The text of a scenario with the value of an existing key replaced; all else, comments too, stays
/// as it is. `path` names it in messages. Throws UserError, for a key that it does not have, too.
std::string with_setting(const std::string& text, const std::string& path,
                         const std::string& setting);

}  // namespace td::job
