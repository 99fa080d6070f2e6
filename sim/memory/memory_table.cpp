// SPDX-License-Identifier: Apache-2.0
// Reading of CSV that may say anything.
#include "sim/memory/memory_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "base/support/error.hpp"
#include "sim/memory/embedded.hpp"

namespace td::sim {

namespace {

constexpr std::array<const char*, 10> kColumns = {"node_nm",
                                                  "device",
                                                  "capacity_bytes",
                                                  "port_bits",
                                                  "read_pJ_per_access",
                                                  "write_pJ_per_access",
                                                  "leakage_mW",
                                                  "access_ns",
                                                  "cycle_ns",
                                                  "area_mm2"};

constexpr double kMostFigure = 1000000;
/// A memory that takes longer has no whole clock in MHz.
constexpr double kMostNanoseconds = 1000;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

/// One line, cut into its columns.
class Row {
 public:
  Row(std::string_view text, const std::string& file, std::size_t line)
      : cells_(split(text, ',')), place_(fmt::format("{}: line {}", file, line)) {
    if (cells_.size() != kColumns.size()) {
      throw UserError(place_, "columns", std::to_string(cells_.size()),
                      std::to_string(kColumns.size()));
    }
  }

  [[noreturn]] void fail(std::size_t column, const std::string& legal) const {
    throw UserError(place_, kColumns[column], cells_[column], legal);
  }

  std::string device() const {
    constexpr std::string_view legal = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    const std::string_view cell = cells_[1];
    if (cell.empty() || cell.find_first_not_of(legal) != std::string_view::npos) {
      fail(1, "a device type of a-z, 0-9, - and _");
    }
    return std::string(cell);
  }

  std::int64_t integer(std::size_t column, std::int64_t least, std::int64_t most) const {
    std::int64_t value = 0;
    if (!read(column, value) || value < least || value > most) {
      fail(column, fmt::format("an integer of {}..{}", least, most));
    }
    return value;
  }

  double figure(std::size_t column, double most) const {
    double value = 0;
    if (!read(column, value) || !(value > 0 && value <= most)) {
      fail(column, fmt::format("a number above 0, up to {}", most));
    }
    return value;
  }

 private:
  template <class Number>
  bool read(std::size_t column, Number& value) const {
    const std::string_view cell = cells_[column];
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc() && end == cell.data() + cell.size();
  }

  std::vector<std::string_view> cells_;
  std::string place_;
};

MemoryLine read_line(const Row& row) {
  MemoryLine line;
  line.node_nm = row.integer(0, 1, 1000);
  line.device = row.device();
  line.bytes = row.integer(2, 1, std::int64_t{1} << 30);
  line.port_bits = row.integer(3, 8, 65536);
  if (line.port_bits % 8 != 0) row.fail(3, "whole bytes");
  const double port_bytes = static_cast<double>(line.port_bits) / 8;
  line.figures = {row.figure(4, kMostFigure) / port_bytes,
                  row.figure(5, kMostFigure) / port_bytes,
                  row.figure(6, kMostFigure),
                  row.figure(7, kMostNanoseconds),
                  row.figure(8, kMostNanoseconds),
                  row.figure(9, kMostFigure)};
  return line;
}

}  // namespace

std::string MemoryChoice::text() const {
  return fmt::format("{}, {} nm, {}, ports of {} bits", table, node_nm, device, port_bits);
}

std::vector<MemoryLine> parse_memory_table(std::string_view text, const std::string& file) {
  const std::string header = fmt::format("{}", fmt::join(kColumns, ","));
  std::vector<MemoryLine> lines;
  std::set<std::tuple<std::int64_t, std::string, std::int64_t, std::int64_t>> seen;
  bool headed = false;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    if (!headed) {
      if (line != header) throw UserError(file, "columns", line, header);
      headed = true;
      continue;
    }
    const Row row(line, file, number);
    lines.push_back(read_line(row));
    const MemoryLine& last = lines.back();
    if (!seen.emplace(last.node_nm, last.device, last.port_bits, last.bytes).second) {
      row.fail(2, "a memory that stands here once");
    }
  }
  if (lines.empty()) throw UserError(file, "columns", "(no memory)", header);
  return lines;
}

const MemoryLine* find_memory(const std::vector<MemoryLine>& table, const MemoryChoice& choice,
                              std::int64_t bytes) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const MemoryLine& line) {
    return line.node_nm == choice.node_nm && line.device == choice.device &&
           line.port_bits == choice.port_bits && line.bytes == bytes;
  });
  return found == table.end() ? nullptr : &*found;
}

const std::vector<MemoryLine>& memory_table(const std::string& name, const std::string& file) {
  static const auto tables = [] {
    std::map<std::string, std::vector<MemoryLine>> read;
    for (const EmbeddedFile& one : memory_tables()) {
      read[std::string(one.name)] = parse_memory_table(one.text, fmt::format("{}.csv", one.name));
    }
    return read;
  }();
  const auto found = tables.find(name);
  if (found != tables.end()) return found->second;
  std::vector<std::string_view> names;
  for (const EmbeddedFile& one : memory_tables()) names.push_back(one.name);
  throw UserError(file, "memories.table", name, fmt::format("one of {}", fmt::join(names, ", ")));
}

}  // namespace td::sim
