// SPDX-License-Identifier: Apache-2.0
#include "gen/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "gen/error.hpp"
#include "gen/toml_guard.hpp"

namespace td {

std::string read_text(const std::string& path, const std::string& legal) {
  constexpr std::size_t most = 1 << 20;
  std::ifstream in(path, std::ios::binary);
  const std::string reason = in.is_open() ? "(empty or unreadable)" : std::strerror(errno);
  std::string text(most + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.empty()) throw UserError(path, "file", reason, legal);
  if (text.size() > most) {
    throw UserError(path, "size", "more", fmt::format("at most {} bytes", most));
  }
  return text;
}

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
