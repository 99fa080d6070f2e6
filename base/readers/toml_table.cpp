// SPDX-License-Identifier: Apache-2.0
#include "base/readers/toml_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/readers/toml_document.hpp"
#include "base/support/error.hpp"

namespace td {

namespace {

std::string text_of(const toml::node* node) {
  return node == nullptr ? "(absent)" : node_text(*node);
}

std::optional<std::int64_t> integer_of(const toml::node* node, std::int64_t least,
                                       std::int64_t most) {
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<std::int64_t>();
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

constexpr std::size_t kLongestName = 200;
constexpr const char* kNoControl = "none a control character";

std::optional<std::string> name_of(const toml::node* node) {
  const auto value = node == nullptr ? std::nullopt : node->value_exact<std::string>();
  const bool legal =
      value && !value->empty() && value->size() <= kLongestName && is_printable(*value);
  return legal ? value : std::nullopt;
}

/// Insertions, removals and replacements of one character that make one text of the other.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> edits(b.size() + 1);
  std::iota(edits.begin(), edits.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(edits[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j] ? 1 : 0);
      diagonal = edits[j + 1];
      edits[j + 1] = std::min({replaced, edits[j] + 1, edits[j + 1] + 1});
    }
  }
  return edits.back();
}

/// "did you mean KEY? " where one key is like what was written, else nothing.
std::string nearest(std::string_view written, std::initializer_list<const char*> keys) {
  constexpr std::size_t alike = 2;
  const char* best = nullptr;
  std::size_t least = std::min(alike, written.size() / 2) + 1;
  for (const char* key : keys) {
    const std::size_t edits = edits_between(written, key);
    if (edits < least) {
      least = edits;
      best = key;
    }
  }
  return best == nullptr ? "" : fmt::format("did you mean {}? ", best);
}

}  // namespace

std::string TomlTable::path(const std::string& key) const {
  return field_.empty() ? key : field_ + "." + key;
}

void TomlTable::fail(const char* key, const std::string& legal) const {
  throw UserError(*file_, path(key), text_of(table_->get(key)), legal);
}

void TomlTable::allow_only(std::initializer_list<const char*> keys) const {
  for (const auto& [key, value] : *table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    throw UserError(
        *file_, path(std::string(key.str())), text_of(&value),
        fmt::format("no such key; {}known: {}", nearest(key.str(), keys), fmt::join(keys, ", ")));
  }
}

std::string TomlTable::name(const char* key) const {
  const auto value = name_of(table_->get(key));
  if (!value) fail(key, fmt::format("text of 1..{} characters, {}", kLongestName, kNoControl));
  return *value;
}

std::vector<std::string> TomlTable::names(const char* key) const {
  const std::string legal =
      fmt::format("an array of texts of 1..{} characters, {}", kLongestName, kNoControl);
  const toml::node* node = table_->get(key);
  if (node == nullptr || !node->is_array() || node->as_array()->empty()) fail(key, legal);
  std::vector<std::string> values;
  for (const toml::node& item : *node->as_array()) {
    auto value = name_of(&item);
    if (!value) fail(key, legal);
    values.push_back(std::move(*value));
  }
  return values;
}

bool TomlTable::boolean(const char* key) const {
  const toml::node* node = table_->get(key);
  const auto value = node == nullptr ? std::nullopt : node->value_exact<bool>();
  if (!value) fail(key, "true or false");
  return *value;
}

std::int64_t TomlTable::integer(const char* key, std::int64_t least, std::int64_t most) const {
  const auto value = integer_of(table_->get(key), least, most);
  if (!value) fail(key, fmt::format("{}..{}", least, most));
  return *value;
}

double TomlTable::number(const char* key, double least, double most) const {
  const toml::node* node = table_->get(key);
  const bool is_number = node != nullptr && node->is_number();
  const double value = is_number ? *node->value<double>() : 0;
  // Written so that a NaN is refused.
  if (!is_number || !(value >= least && value <= most)) {
    fail(key, fmt::format("a number of {}..{}", least, most));
  }
  return value;
}

std::vector<double> TomlTable::numbers(const char* key, double least, double most,
                                       std::size_t count) const {
  const toml::node* node = table_->get(key);
  if (node == nullptr || !node->is_array()) {
    return std::vector<double>(count, number(key, least, most));
  }
  const std::string legal = fmt::format("{} numbers of {}..{}, or one", count, least, most);
  std::vector<double> values;
  for (const toml::node& item : *node->as_array()) {
    const double value = item.is_number() ? *item.value<double>() : least - 1;
    if (!(value >= least && value <= most)) fail(key, legal);
    values.push_back(value);
  }
  if (values.size() != count) fail(key, legal);
  return values;
}

std::vector<double> TomlTable::numbers(const char* key, double least, double most) const {
  const toml::node* node = table_->get(key);
  const bool several = node != nullptr && node->is_array() && !node->as_array()->empty();
  return numbers(key, least, most, several ? node->as_array()->size() : 1);
}

std::vector<std::int64_t> TomlTable::integers(const char* key, std::int64_t least,
                                              std::int64_t most) const {
  const std::string legal = fmt::format("an array of integers of {}..{}", least, most);
  const toml::node* node = table_->get(key);
  if (node == nullptr || !node->is_array() || node->as_array()->empty()) fail(key, legal);
  std::vector<std::int64_t> values;
  for (const toml::node& item : *node->as_array()) {
    const auto value = integer_of(&item, least, most);
    if (!value) fail(key, legal);
    values.push_back(*value);
  }
  return values;
}

void TomlTable::pair(const char* key, std::int64_t least, std::int64_t most,
                     std::int64_t (&pair)[2]) const {
  const toml::node* node = table_->get(key);
  const toml::array* array = node == nullptr ? nullptr : node->as_array();
  const bool is_pair = array != nullptr && array->size() == 2;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto value = integer_of(is_pair ? array->get(i) : node, least, most);
    if (!value) fail(key, fmt::format("an integer of {}..{}, or two: [y, x]", least, most));
    pair[i] = *value;
  }
}

TomlTable TomlTable::table(const char* key) const {
  const toml::node* node = table_->get(key);
  if (node == nullptr || !node->is_table()) fail(key, "a table");
  return TomlTable(*node->as_table(), *file_, path(key));
}

std::vector<TomlTable> TomlTable::tables(const char* key) const {
  const toml::node* node = table_->get(key);
  if (node == nullptr || !node->is_array() || node->as_array()->empty()) {
    fail(key, "an array of at least one table");
  }
  std::vector<TomlTable> tables;
  for (const toml::node& item : *node->as_array()) {
    const std::string field = fmt::format("{}[{}]", path(key), tables.size());
    if (!item.is_table()) throw UserError(*file_, field, text_of(&item), "a table");
    tables.emplace_back(*item.as_table(), *file_, field);
  }
  return tables;
}

}  // namespace td
