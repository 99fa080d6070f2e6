// SPDX-License-Identifier: Apache-2.0
// JSON whose every value knows the file and the field it came from, for messages that name them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace td {

/// One value of a JsonDocument, which must outlive it. Every reading function throws UserError when
/// the value is of another kind.
class JsonValue {
 public:
  JsonValue(const nlohmann::json& value, const std::string& file, std::string field)
      : value_(&value), file_(&file), field_(std::move(field)) {}

  const std::string& field() const { return field_; }

  bool is_null() const { return value_->is_null(); }
  bool has(const std::string& key) const;

  /// `field` is what messages call it. Throws UserError when it is missing.
  JsonValue member(const std::string& key, const std::string& field) const;
  std::vector<std::string> keys() const;

  /// `legal` says what the array should be.
  std::size_t size(const std::string& legal) const;
  JsonValue element(std::size_t index, const std::string& field) const;

  const std::string& text() const;

  /// Text that is not empty and has no control characters.
  const std::string& name() const;

  /// Text without control characters.
  const std::string& printable() const;
  bool boolean() const;
  std::int64_t integer(std::uint64_t least, std::uint64_t most) const;

  /// An array of integers that are not negative.
  std::vector<std::uint64_t> integers(const std::string& legal) const;
  std::optional<double> number_or_null() const;

  /// Any number, an integer too.
  double number(double least, double most) const;

  /// An array of numbers, which may be empty.
  std::vector<double> numbers(double least, double most) const;

  /// The value itself, to be copied.
  const nlohmann::json& raw() const { return *value_; }

  /// Throws the UserError that names file, field and value.
  [[noreturn]] void fail(const std::string& legal) const;

 private:
  const nlohmann::json* value_;
  const std::string* file_;
  std::string field_;
};

/// A parsed text.
class JsonDocument {
 public:
  /// `file` (which must outlive it) and `field` name the text in messages. Throws UserError for
  /// what is no JSON, for a key given twice in one object, and for absurd nesting.
  JsonDocument(std::string_view text, const std::string& file, std::string field);

  JsonValue root() const { return JsonValue(root_, *file_, field_); }

 private:
  const std::string* file_;
  std::string field_;
  nlohmann::json root_;
};

}  // namespace td
