// SPDX-License-Identifier: Apache-2.0
#include "sim/system/scenario/setting.hpp"

#include <algorithm>
#include <string_view>

#include "base/readers/toml_document.hpp"
#include "base/support/error.hpp"

namespace td::job {

namespace {

/// The parts of "TABLE.KEY=VALUE".
struct Setting {
  std::string table;
  std::string key;
  std::string assignment;  ///< "value = VALUE", a text of TOML
  toml::table parsed;      ///< of the assignment

  const toml::node& value() const { return *parsed.get("value"); }
};

[[noreturn]] void refuse(const std::string& setting, const std::string& legal) {
  throw UserError("command line", "--set", setting, legal);
}

/// A word as a shell passes it on, without its quotes.
bool is_bare_word(std::string_view value) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view others = "0123456789_-./";
  const auto belongs = [&](char c) {
    return letters.find(c) != std::string_view::npos || others.find(c) != std::string_view::npos;
  };
  for (const std::string_view word : {"true", "false", "inf", "nan"}) {
    if (value == word) return false;
  }
  return !value.empty() && letters.find(value.front()) != std::string_view::npos &&
         std::all_of(value.begin(), value.end(), belongs);
}

Setting parse_setting(const std::string& setting) {
  const std::size_t dot = setting.find('.');
  const std::size_t equal = setting.find('=');
  if (dot == 0 || dot >= equal || equal == std::string::npos || dot + 1 == equal) {
    refuse(setting, "TABLE.KEY=VALUE, the value as TOML has it");
  }
  const std::string value = setting.substr(equal + 1);
  if (is_bare_word(value)) {
    refuse(setting,
           "TABLE.KEY=VALUE, the value as TOML has it: text in quotes, as '" + value + "'");
  }
  Setting parts{
      setting.substr(0, dot), setting.substr(dot + 1, equal - dot - 1), "value = " + value, {}};
  parts.parsed = parse_toml(parts.assignment, "--set " + setting);
  if (parts.parsed.size() != 1) refuse(setting, "one key of a table, as cluster.accelerators");
  return parts;
}

/// Bytes before a position of the parser, which counts lines and code points from one.
std::size_t offset_of(std::string_view text, const toml::source_position& position) {
  std::size_t at = 0;
  for (toml::source_index line = 1; line < position.line; ++line) at = text.find('\n', at) + 1;
  const auto continues = [&] { return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U; };
  for (toml::source_index column = 1; column < position.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && continues()) ++at;
  }
  return std::min(at, text.size());
}

/// Where in a text a value stands: its first byte and the one behind it.
struct Span {
  std::size_t begin, end;
};

Span span_of(std::string_view text, const toml::node& node) {
  const toml::source_region& region = node.source();
  const std::size_t begin = offset_of(text, region.begin);
  return {begin, std::max(begin, offset_of(text, region.end))};
}

bool reads_as(const std::string& text, const std::string& path, const toml::table& root) {
  try {
    return parse_toml(text, path) == root;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace

void apply_setting(toml::table& root, const std::string& setting) {
  const Setting parts = parse_setting(setting);
  root.insert(parts.table, toml::table{});
  toml::table* table = root[parts.table].as_table();
  if (table == nullptr) refuse(setting, "one key of a table, as cluster.accelerators");
  table->insert_or_assign(parts.key, parts.value());
}

std::string with_setting(const std::string& text, const std::string& path,
                         const std::string& setting) {
  const Setting parts = parse_setting(setting);
  toml::table root = parse_toml(text, path);
  const toml::table* table = root[parts.table].as_table();
  const toml::node* old = table == nullptr ? nullptr : table->get(parts.key);
  if (old == nullptr) {
    throw UserError(path, parts.table + "." + parts.key, "(absent)",
                    "a key that the file has, whose value can be replaced");
  }
  const Span old_span = span_of(text, *old);
  const Span value = span_of(parts.assignment, parts.value());
  const std::string changed = text.substr(0, old_span.begin) +
                              parts.assignment.substr(value.begin, value.end - value.begin) +
                              text.substr(old_span.end);
  apply_setting(root, setting);
  // What was written is read again: a file is never left with anything but the one new value.
  if (!reads_as(changed, path, root)) {
    refuse(setting, "a key whose value stands behind it, to be replaced");
  }
  return changed;
}

}  // namespace td::job
