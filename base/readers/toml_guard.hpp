// SPDX-License-Identifier: Apache-2.0
// Refuses, before toml++ sees it, the text that would break toml++.
#pragma once

#include <string>
#include <string_view>

namespace td {

/// Throws UserError for what toml++ 3.3.0 cannot bear.
///
/// It makes a table of every part of a dotted key, without bound, and leaves them by recursion,
/// until the stack is full; nested values take kilobytes of it each. And where it looks for white
/// space, many a character beyond ASCII leads it to a place marked as unreachable. TOML allows such
/// characters in strings and comments alone, so they are refused elsewhere; and in strings behind a
/// line's last backslash, where white space is looked for too.
void guard_toml(std::string_view text, const std::string& file);

}  // namespace td
