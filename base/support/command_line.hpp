// SPDX-License-Identifier: Apache-2.0
// How every program reads its command line.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/support/error.hpp"

namespace td {

/// Throws UserError for a number that is none: by CLI11's comparisons NaN is in every range.
inline void refuse_nan(const std::string& program, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_type_name().rfind("FLOAT", 0) != 0) continue;
    for (const std::string& value : option->results()) {
      if (!std::isnan(std::strtod(value.c_str(), nullptr))) continue;
      throw UserError(fmt::format("{}: {}: Value {} is illegal; legal: a number", program,
                                  option->get_name(), value));
    }
  }
  for (const CLI::App* command : app.get_subcommands({})) refuse_nan(program, *command);
}

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
  refuse_nan(app.get_name(), app);
  return std::nullopt;
}

}  // namespace td
