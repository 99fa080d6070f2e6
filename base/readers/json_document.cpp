// SPDX-License-Identifier: Apache-2.0
// Reading of JSON from files that may say anything.
#include "base/readers/json_document.hpp"

#include <fmt/format.h>

#include <exception>
#include <set>
#include <utility>

#include "base/support/error.hpp"

namespace td {

namespace {

using nlohmann::json;

/// Traces and results nest three or four levels; the bound keeps a hostile text from filling the
/// memory.
constexpr int max_depth = 8;

/// Refuses, while the parser runs, what JSON allows and our files must not have.
class Watch {
 public:
  Watch(const std::string& file, const std::string& field) : file_(file), field_(field) {}

  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    if (depth > max_depth)
      throw UserError(file_, field_, "nesting", fmt::format("{} levels", max_depth));
    if (event == json::parse_event_t::object_start) {
      keys_.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      keys_.pop_back();
    } else if (event == json::parse_event_t::key) {
      const std::string& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) {
        throw UserError(file_, field_, "key " + key + " twice", "every key once");
      }
    }
    return true;
  }

 private:
  const std::string& file_;
  const std::string& field_;
  std::vector<std::set<std::string>> keys_;  ///< of the objects that are open
};

json parse(std::string_view text, const std::string& file, const std::string& field) {
  try {
    Watch watch(file, field);
    return json::parse(text, [&watch](int depth, json::parse_event_t event, const json& parsed) {
      return watch(depth, event, parsed);
    });
  } catch (const json::parse_error& error) {
    throw UserError(file, field, fmt::format("text broken at byte {}", error.byte), "JSON");
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    throw UserError(fmt::format("{}: {}: {}", file, field, one_line(error.what())));
  }
}

}  // namespace

JsonDocument::JsonDocument(std::string_view text, const std::string& file, std::string field)
    : file_(&file), field_(std::move(field)), root_(parse(text, file, field_)) {}

bool JsonValue::has(const std::string& key) const { return value_->contains(key); }

JsonValue JsonValue::member(const std::string& key, const std::string& field) const {
  if (!value_->is_object()) fail("an object");
  const auto found = value_->find(key);
  if (found == value_->end())
    throw UserError(fmt::format("{}: {} is missing", *file_, one_line(field)));
  return JsonValue(*found, *file_, field);
}

std::vector<std::string> JsonValue::keys() const {
  if (!value_->is_object()) fail("an object");
  std::vector<std::string> result;
  for (const auto& item : value_->items()) result.push_back(item.key());
  return result;
}

std::size_t JsonValue::size(const std::string& legal) const {
  if (!value_->is_array()) fail(legal);
  return value_->size();
}

JsonValue JsonValue::element(std::size_t index, const std::string& field) const {
  return JsonValue((*value_)[index], *file_, field);
}

const std::string& JsonValue::text() const {
  if (!value_->is_string()) fail("a string");
  return value_->get_ref<const std::string&>();
}

const std::string& JsonValue::name() const {
  const std::string& result = text();
  if (result.empty() || !is_printable(result)) fail("a name without control characters");
  return result;
}

const std::string& JsonValue::printable() const {
  const std::string& result = text();
  if (!is_printable(result)) fail("text without control characters");
  return result;
}

bool JsonValue::boolean() const {
  if (!value_->is_boolean()) fail("true or false");
  return value_->get<bool>();
}

std::int64_t JsonValue::integer(std::uint64_t least, std::uint64_t most) const {
  const bool whole = value_->is_number_unsigned();
  if (!whole || value_->get<std::uint64_t>() < least || value_->get<std::uint64_t>() > most) {
    fail(fmt::format("an integer of {}..{}", least, most));
  }
  return value_->get<std::int64_t>();
}

std::vector<std::uint64_t> JsonValue::integers(const std::string& legal) const {
  if (!value_->is_array()) fail(legal);
  std::vector<std::uint64_t> result;
  for (const json& number : *value_) {
    if (!number.is_number_unsigned()) fail(legal);
    result.push_back(number.get<std::uint64_t>());
  }
  return result;
}

std::optional<double> JsonValue::number_or_null() const {
  if (value_->is_null()) return std::nullopt;
  if (!value_->is_number()) fail("a number or null");
  return value_->get<double>();
}

double JsonValue::number(double least, double most) const {
  const double value = value_->is_number() ? value_->get<double>() : 0;
  // Written so that a NaN is refused.
  if (!value_->is_number() || !(value >= least && value <= most)) {
    fail(fmt::format("a number of {}..{}", least, most));
  }
  return value;
}

std::vector<double> JsonValue::numbers(double least, double most) const {
  std::vector<double> result(size("an array of numbers"));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = element(i, fmt::format("{}[{}]", field_, i)).number(least, most);
  }
  return result;
}

void JsonValue::fail(const std::string& legal) const {
  const std::string value = value_->dump(-1, ' ', true, json::error_handler_t::replace);
  throw UserError(*file_, field_, value, one_line(legal));
}

}  // namespace td
