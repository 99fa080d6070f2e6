// SPDX-License-Identifier: Apache-2.0
#include "base/readers/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/readers/toml_guard.hpp"
#include "base/support/error.hpp"

namespace td {

namespace {

/// Arrays and tables are written here: to lay them out in lines, toml++ converts logarithms of
/// their numbers to integers, which is undefined for inf and for numbers below one.
void write(const toml::node& node, std::ostream& text) {
  const char* separator = " ";
  if (const toml::array* array = node.as_array()) {
    text << '[';
    for (const toml::node& item : *array) {
      text << separator;
      write(item, text);
      separator = ", ";
    }
    text << (array->empty() ? "]" : " ]");
  } else if (const toml::table* table = node.as_table()) {
    text << '{';
    for (const auto& [key, value] : *table) {
      text << separator << key.str() << " = ";
      write(value, text);
      separator = ", ";
    }
    text << (table->empty() ? "}" : " }");
  } else {
    node.visit([&](const auto& value) { text << value; });
  }
}

}  // namespace

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
  write(node, text);
  std::string line = text.str();
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace td
