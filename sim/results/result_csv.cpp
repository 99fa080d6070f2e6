// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "sim/results/columns.hpp"
#include "sim/results/result_text.hpp"

namespace td::sim {

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

/// One value a cell: a list takes as many as it has numbers, and its name their index.
void add_names(const Column& column, const Value& value, std::string& line) {
  const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
  if (list == nullptr) line += ',' + quoted(column.name);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    line += ',' + column.name + '_' + std::to_string(i);
  }
}

void add_values(const Value& value, std::string& line) {
  const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
  if (list == nullptr) line += ',' + quoted(exact_text(value));
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    line += ',' + std::to_string((*list)[i]);
  }
}

}  // namespace

std::string result_csv(const RunResult& result) {
  std::string text = "configuration_hash,accelerator_hash,source_identity";
  // Lists are as long in every operation: they have a number for each bank.
  for (const Column& column : columns(result)) {
    add_names(column, column.value(result.operations.at(0), result.array), text);
  }
  text += '\n';
  for (const OpResult& operation : result.operations) {
    text += quoted(result.configuration_hash) + ',' + quoted(result.accelerator_hash) + ',' +
            quoted(result.source_identity);
    for (const Column& column : columns(result)) {
      add_values(column.value(operation, result.array), text);
    }
    text += '\n';
  }
  return text;
}

}  // namespace td::sim
