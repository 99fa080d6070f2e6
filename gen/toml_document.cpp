// SPDX-License-Identifier: Apache-2.0
#include "gen/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "gen/error.hpp"

namespace td {

namespace {

constexpr int max_key_parts = 16;

/// Where the string that begins at `begin` ends. It may hold what looks like a key or a comment.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool escapes = quote == '"';
  const std::string three(3, quote);
  const bool multi_line = text.substr(begin, 3) == three;
  std::size_t i = begin + (multi_line ? 3U : 1U);
  while (i < text.size() && (multi_line || text[i] != '\n')) {
    if (multi_line ? text.substr(i, 3) == three : text[i] == quote) {
      // Before the closing three there may be two more.
      i += multi_line ? 3U : 1U;
      for (int extra = 0; multi_line && extra < 2 && i < text.size() && text[i] == quote; ++extra)
        ++i;
      return i;
    }
    i += escapes && text[i] == '\\' ? 2U : 1U;
  }
  return std::min(i, text.size());
}

/// toml++ bounds the nesting of values, but not the parts of a dotted key: it makes a table of
/// each and leaves them by recursion. So they are counted before it sees them.
void refuse_long_keys(std::string_view text, const std::string& file) {
  constexpr std::string_view ends = "=,[]{}\n";
  int parts = 1;
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_string(text, i);
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (ends.find(c) != std::string_view::npos) parts = 1;
    ++i;
    if (c != '.' || ++parts <= max_key_parts) continue;
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
    throw UserError(file, fmt::format("line {}", line), "a key of more parts",
                    fmt::format("keys of at most {} parts", max_key_parts));
  }
}

}  // namespace

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
  refuse_long_keys(text, file);
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
