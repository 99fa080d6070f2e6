// SPDX-License-Identifier: Apache-2.0
// TOML whose every table knows the file and the field it came from, for messages that name them.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/readers/document.hpp"

namespace td {

/// One table of a parsed text; text and file name must outlive it. Every reading function throws
/// UserError when the key is absent, or its value of another kind or out of range.
class TomlTable {
 public:
  /// `field` is what messages call the table: empty for the whole text.
  TomlTable(const toml::table& table, const std::string& file, std::string field)
      : table_(&table), file_(&file), field_(std::move(field)) {}

  /// Refuses keys that are not among these.
  void allow_only(std::initializer_list<const char*> keys) const;

  /// The file's name, for messages.
  const std::string& file() const { return *file_; }

  bool has(const char* key) const { return table_->contains(key); }

  /// Text that is not empty and has no control characters.
  std::string name(const char* key) const;

  /// At least one text, each as name() has it.
  std::vector<std::string> names(const char* key) const;
  bool boolean(const char* key) const;
  std::int64_t integer(const char* key, std::int64_t least, std::int64_t most) const;

  /// Any number, an integer too.
  double number(const char* key, double least, double most) const;

  /// A number, or an array of `count` of them: one number stands for all.
  std::vector<double> numbers(const char* key, double least, double most, std::size_t count) const;

  /// A number, or an array of at least one.
  std::vector<double> numbers(const char* key, double least, double most) const;

  /// At least one integer.
  std::vector<std::int64_t> integers(const char* key, std::int64_t least, std::int64_t most) const;

  /// Two integers, or one that stands for both.
  void pair(const char* key, std::int64_t least, std::int64_t most, std::int64_t (&pair)[2]) const;

  TomlTable table(const char* key) const;

  /// An array of at least one table.
  std::vector<TomlTable> tables(const char* key) const;

  /// Throws the UserError that names file, field and value of the key.
  [[noreturn]] void fail(const char* key, const std::string& legal) const;

 private:
  std::string path(const std::string& key) const;

  const toml::table* table_;
  const std::string* file_;
  std::string field_;
};

}  // namespace td
