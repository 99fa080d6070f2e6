// SPDX-License-Identifier: Apache-2.0
#include "gen/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "gen/error.hpp"
#include "gen/toml_guard.hpp"

namespace td {

toml::table parse_toml(std::string_view text, const std::string& file) {
  guard_toml(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw UserError(fmt::format("{}: line {}: {}", file, error.source().begin.line,
                                one_line(error.description())));
  }
}

std::string node_text(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  std::string line = text.str();
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace td
