// SPDX-License-Identifier: Apache-2.0
// How every program reads its command line.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "base/support/error.hpp"

namespace td {

/// Reads the arguments into what `app` declares. Returns an exit status where that is all (help,
/// version); a mistake becomes a UserError. What is not known comes before what is missing, because
/// a misspelt option is both.
inline std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv) {
  const auto refusal = [&](const CLI::ParseError& error) {
    return UserError(fmt::format("{}: {}", app.get_name(), error.what()));
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    const auto unknown = app.remaining(true);
    if (unknown.empty()) throw refusal(error);
    throw refusal(CLI::ExtrasError(app.get_name(), unknown));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw refusal(error);
  }
  return std::nullopt;
}

}  // namespace td
