// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/support/text_table.hpp"
#include "sim/results/columns.hpp"
#include "sim/results/result_summary.hpp"
#include "sim/results/result_text.hpp"

namespace td::sim {

namespace {

using Align = TextTable::Align;

using Shown = std::vector<const Column*>;

/// The columns that the terminal shows: marks only where something is marked.
Shown shown_columns(const RunResult& result) {
  Shown shown;
  for (const Column& column : columns()) {
    const auto marked = [&](const OpResult& operation) {
      return column.value(operation, result.array) == Value(true);
    };
    const bool empty = column.style == Style::mark &&
                       std::none_of(result.operations.begin(), result.operations.end(), marked);
    if (!column.heading.empty() && !empty) shown.push_back(&column);
  }
  return shown;
}

std::string heading_text(const RunResult& result) {
  std::string text =
      fmt::format("operands {} ({}{}{}), identity {}{}{}\n", result.source_path, result.model,
                  result.dataset.empty() ? "" : ", ", result.dataset, result.source_identity,
                  result.conversion.empty() ? "" : ", ", result.conversion);
  const ArraySize& array = result.array;
  text += fmt::format("configuration {} ({}): {} tile{} of {}x{} PEs of {} lanes, {}, ",
                      result.configuration, result.configuration_hash, array.tiles,
                      array.tiles == 1 ? "" : "s", array.rows, array.columns, array.lanes,
                      result.scheduling);
  text += fmt::format("depth {}, pattern {}\n", result.depth, result.pattern);
  text += fmt::format("{}; scheduled operand: {}{}\n", result.split, result.schedule,
                      result.gate ? "; operations with few zeros are gated" : "");
  for (const std::string& note : result.notes) text += note + '\n';
  return text;
}

/// A total is one more line of the table, named where its operations have their names.
std::vector<std::string> total_cells(const RunResult& result, const Shown& shown,
                                     const OpResult& sum, TotalBy by) {
  std::vector<std::string> cells;
  for (const Column* column : shown) {
    if (column->of_sums) {
      cells.push_back(terminal_text(column->value(sum, result.array), column->style));
    } else if (column->name == "snapshot") {
      cells.push_back(by == TotalBy::snapshot ? sum.snapshot : "total");
    } else if (column->name == "op") {
      cells.push_back(by == TotalBy::op ? to_string(sum.op) : "all");
    } else {
      cells.emplace_back();
    }
  }
  return cells;
}

std::string operations_text(const RunResult& result) {
  TextTable table;
  const Shown shown = shown_columns(result);
  for (const Column* column : shown) {
    const bool left = column->style == Style::text || column->style == Style::mark;
    table.add_column(column->heading, left ? Align::left : Align::right);
  }
  for (const OpResult& operation : result.operations) {
    std::vector<std::string> cells;
    for (const Column* column : shown) {
      cells.push_back(terminal_text(column->value(operation, result.array), column->style));
    }
    table.add_row(cells);
  }
  const std::vector<OpResult> snapshots = totals(result.operations, TotalBy::snapshot);
  if (snapshots.size() > 1) {
    for (const OpResult& sum : snapshots) {
      table.add_row(total_cells(result, shown, sum, TotalBy::snapshot));
    }
  }
  for (const TotalBy by : {TotalBy::op, TotalBy::all}) {
    for (const OpResult& sum : totals(result.operations, by)) {
      table.add_row(total_cells(result, shown, sum, by));
    }
  }
  const auto layer = std::find_if(shown.begin(), shown.end(),
                                  [](const Column* column) { return column->name == "layer"; });
  table.fit(kTerminalWidth, static_cast<std::size_t>(layer - shown.begin()), kLeastLayerWidth);
  return table.text();
}

/// Each part in tenths of a percent. The first is rounded, as its column of the table is; the
/// others down, and the tenths that are then missing from 100 % given to those that lost most by
/// it. All are 0 where there were no cycles.
std::vector<std::int64_t> tenths(const MultiplierCycles& multipliers) {
  if (multipliers.total() == 0) return std::vector<std::int64_t>(parts().size());
  std::vector<std::int64_t> whole;
  std::vector<double> rest;
  for (const Part& part : parts()) {
    const auto cycles = static_cast<double>(multipliers.*part.cycles);
    const auto all = static_cast<double>(multipliers.total());
    const double exact = 1000.0 * cycles / all;
    whole.push_back(whole.empty() ? percent_tenths(cycles / all)
                                  : static_cast<std::int64_t>(std::floor(exact)));
    rest.push_back(exact - std::floor(exact));
  }
  std::vector<std::size_t> order(whole.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin() + 1, order.end(),
                   [&](std::size_t a, std::size_t b) { return rest[a] > rest[b]; });
  std::int64_t missing = 1000 - std::accumulate(whole.begin(), whole.end(), std::int64_t{0});
  for (std::size_t i = 1; missing > 0 && i < order.size(); ++i, --missing) ++whole[order[i]];
  return whole;
}

std::string parts_text(const RunResult& result) {
  std::vector<OpResult> sums = totals(result.operations, TotalBy::op);
  TextTable table;
  table.add_column("where the multipliers' cycles went, in %", Align::left);
  for (const OpResult& sum : sums) table.add_column(to_string(sum.op), Align::right);
  table.add_column("all", Align::right);
  for (const OpResult& sum : totals(result.operations, TotalBy::all)) sums.push_back(sum);

  std::vector<std::vector<std::string>> rows;
  for (const Part& part : parts()) rows.push_back({part.text});
  rows.push_back({"together"});
  for (const OpResult& sum : sums) {
    std::int64_t together = 0;
    std::size_t row = 0;
    for (const std::int64_t share : tenths(sum.cycles.multipliers)) {
      rows[row++].push_back(fmt::format("{}.{}", share / 10, share % 10));
      together += share;
    }
    rows[row].push_back(fmt::format("{}.{}", together / 10, together % 10));
  }
  for (const std::vector<std::string>& cells : rows) table.add_row(cells);
  return table.text();
}

}  // namespace

std::string result_table(const RunResult& result) {
  return heading_text(result) + operations_text(result) + coverage_text(result) + '\n' +
         parts_text(result) + '\n' + (result.latency ? machine_text(result) + '\n' : "") +
         memory_text(result) + (result.gate ? '\n' + gating_text(result) : "");
}

}  // namespace td::sim
