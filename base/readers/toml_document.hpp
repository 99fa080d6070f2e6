// SPDX-License-Identifier: Apache-2.0
// Reading of TOML from files that may say anything.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace td {

/// Parses a text; `file` names it in messages. Throws UserError for what is no TOML, and for what
/// toml++ cannot bear (base/readers/toml_guard.hpp).
toml::table parse_toml(std::string_view text, const std::string& file);

/// The value as a message shows it.
std::string node_text(const toml::node& node);

}  // namespace td
