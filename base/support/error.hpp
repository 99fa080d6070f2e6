// SPDX-License-Identifier: Apache-2.0
// The one exception for a user's mistake: names file, field, value and what would be legal.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace td {

/// Whether the text is UTF-8 without control characters: a terminal shows it and does not obey it.
bool is_printable(std::string_view text);

/// The text as part of a message: what is not printable becomes '?', and 160 bytes are enough.
std::string one_line(std::string_view text);

/// A mistake in what the user gave. Programs print what() as one line on stderr and return 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// `file: field = value is illegal; legal: legal`, the form of every message about a value. Field
  /// and value may be any text from a file.
  UserError(std::string_view file, std::string_view field, std::string_view value,
            std::string_view legal)
      : std::runtime_error(fmt::format("{}: {} = {} is illegal; legal: {}", file, one_line(field),
                                       one_line(value), legal)) {}
};

/// For what a file has in a place of an earlier version: says what to write instead.
inline UserError moved(std::string_view file, std::string_view field, std::string_view value,
                       std::string_view place) {
  return UserError(fmt::format("{}: {} = {} has moved; legal: write it as {}", file,
                               one_line(field), one_line(value), place));
}

/// Exit statuses of every program.
enum ExitStatus { kExitPass = 0, kExitCheckFailed = 1, kExitUserError = 2, kExitInterrupted = 130 };

}  // namespace td
