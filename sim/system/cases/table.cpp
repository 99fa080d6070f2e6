// SPDX-License-Identifier: Apache-2.0
// Comma-separated values.
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "base/support/error.hpp"
#include "base/support/text_file.hpp"
#include "sim/system/cases/case_file.hpp"

namespace td::job {

namespace {

/// Cells of a line; those in double quotes may have commas, and "" for a quote.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace

Table read_table(const std::string& path) {
  Table table;
  table.file = path;
  std::istringstream lines(read_text(path, "a readable CSV file", kMostCaseBytes));
  std::string line;
  std::getline(lines, line);
  table.columns = cells_of(line);
  for (std::size_t number = 2; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != table.columns.size()) {
      throw UserError(path, fmt::format("line {}", number), fmt::format("{} cells", cells.size()),
                      fmt::format("{}, as the first line", table.columns.size()));
    }
    auto& row = table.rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) row[table.columns[i]] = cells[i];
  }
  return table;
}

const std::string& Table::text(std::size_t row, const std::string& column) const {
  const auto found = rows.at(row).find(column);
  if (found == rows[row].end()) {
    throw UserError(file, "column", column, "one that the first line names");
  }
  return found->second;
}

double Table::number(std::size_t row, const std::string& column, double least, double most) const {
  const std::string& cell = text(row, column);
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  // Written so that a NaN is refused. Rows are numbered as lines are where none is empty.
  if (cell.empty() || *end != '\0' || !(value >= least && value <= most)) {
    throw UserError(file, fmt::format("row {} {}", row + 1, column), cell,
                    fmt::format("a number of {}..{}", least, most));
  }
  return value;
}

}  // namespace td::job
