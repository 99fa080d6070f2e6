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

}  // namespace

std::string result_csv(const RunResult& result) {
  std::string text = "configuration_hash,accelerator_hash,source_identity";
  for (const Column& column : columns()) text += ',' + quoted(column.name);
  text += '\n';
  for (const OpResult& operation : result.operations) {
    text += quoted(result.configuration_hash) + ',' + quoted(result.accelerator_hash) + ',' +
            quoted(result.source_identity);
    for (const Column& column : columns()) {
      text += ',' + quoted(exact_text(column.value(operation, result.array)));
    }
    text += '\n';
  }
  return text;
}

}  // namespace td::sim
