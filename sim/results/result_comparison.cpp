// SPDX-License-Identifier: Apache-2.0
#include "sim/results/result_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/support/text_table.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/results/result_text.hpp"

namespace td::sim {

namespace {

using Align = TextTable::Align;

constexpr std::size_t kLayerColumn = 1;

using Key = std::tuple<std::string, std::string, std::string>;
using ByKey = std::map<Key, const StoredOperation*>;

Key key(const StoredOperation& operation) {
  return {operation.snapshot, operation.layer, operation.op};
}

ByKey by_key(const StoredResult& result) {
  ByKey found;
  for (const StoredOperation& operation : result.operations) found[key(operation)] = &operation;
  return found;
}

void add_to(StoredOperation& sum, const StoredOperation& operation) {
  sum.dense_cycles += operation.dense_cycles;
  sum.zero_free_cycles += operation.zero_free_cycles;
  sum.cycles += operation.cycles;
  sum.dense_compute_energy_pJ += operation.dense_compute_energy_pJ;
  sum.zero_free_compute_energy_pJ += operation.zero_free_compute_energy_pJ;
  sum.compute_energy_pJ += operation.compute_energy_pJ;
  if (!operation.machine) return;
  if (!sum.machine) sum.machine.emplace();
  sum.machine->dense_memory_cycles += operation.machine->dense_memory_cycles;
  sum.machine->zero_free_memory_cycles += operation.machine->zero_free_memory_cycles;
  sum.machine->memory_cycles += operation.machine->memory_cycles;
  sum.machine->dense_energy_pJ += operation.machine->dense_energy_pJ;
  sum.machine->energy_pJ += operation.machine->energy_pJ;
}

/// An operation of both results, or a sum of such.
struct Pair {
  StoredOperation a;
  StoredOperation b;

  void add(const Pair& other) {
    add_to(a, other.a);
    add_to(b, other.b);
  }
};

double real(std::int64_t count) { return static_cast<double>(count); }

template <class Number>
std::string ratio_text(Number part, Number whole) {
  if (!(whole > 0)) return "-";
  return fmt::format("{:.2f}", static_cast<double>(part) / static_cast<double>(whole));
}

/// One result's figure, beside the same of dense tiles and without zeros; 0: not known.
struct Figure {
  double dense, zero_free, own;
};

/// What is compared of both results, in the same number of columns of every table.
struct Compared {
  Figure a, b;
  double weight = 1;  ///< of B beside A
};

/// B/A, and data and total ratios of both.
std::vector<std::string> ratio_cells(const Compared& of) {
  std::string beside = "-";
  if (of.a.own > 0) beside = fmt::format("{:.3f}", of.weight * of.b.own / of.a.own);
  std::vector<std::string> cells = {beside};
  for (const Figure& figure : {of.a, of.b}) {
    const bool known = figure.zero_free > 0 || !(figure.dense > 0);
    cells.push_back(known ? ratio_text(figure.zero_free, figure.own) : "-");
    cells.push_back(ratio_text(figure.dense, figure.own));
  }
  return cells;
}

void add_columns(TextTable& table, const char* a, const char* b) {
  for (const char* heading : {a, b, "B/A", "A data", "A total", "B data", "B total"}) {
    table.add_column(heading, Align::right);
  }
}

void add_row(TextTable& table, std::vector<std::string> cells, const std::string& a,
             const std::string& b, const Compared& of) {
  cells.push_back(a);
  cells.push_back(b);
  for (const std::string& cell : ratio_cells(of)) cells.push_back(cell);
  table.add_row(cells);
}

/// Multipliers of B for each of A: what fewer cycles of a larger array are multiplied with.
double weight(const StoredResult& a, const StoredResult& b) {
  return static_cast<double>(b.multipliers) / static_cast<double>(a.multipliers);
}

std::string weight_text(const StoredResult& a, const StoredResult& b) {
  if (a.multipliers == b.multipliers) return "";
  return fmt::format(
      "A has {} multipliers, B {}: B/A of their cycles is that of cycles times multipliers\n",
      a.multipliers, b.multipliers);
}

std::string differences_text(const StoredResult& a, const StoredResult& b) {
  TextTable table;
  for (const char* heading : {"differs in", "A", "B"}) table.add_column(heading, Align::left);
  bool any = false;
  for (std::size_t i = 0; i < a.facts.size(); ++i) {
    if (a.facts[i].second == b.facts[i].second) continue;
    any = true;
    table.add_row({a.facts[i].first, a.facts[i].second, b.facts[i].second});
  }
  return any ? table.text() : "no difference in what was run\n";
}

/// A line for each note that `others` lacks.
std::string notes_text(const StoredResult& result, const StoredResult& others, const char* name) {
  const std::vector<std::string>& there = others.notes;
  std::string text;
  for (const std::string& note : result.notes) {
    if (std::find(there.begin(), there.end(), note) != there.end()) continue;
    text += fmt::format("note of {} only: {}\n", name, note);
  }
  return text;
}

/// For each kind of operation that there is, then over all.
std::vector<Pair> sums(const std::vector<Pair>& pairs) {
  std::vector<Pair> result;
  Pair all;
  all.a.op = "all";
  for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
    Pair sum;
    for (const Pair& pair : pairs) {
      if (pair.a.op != to_string(op)) continue;
      sum.a.op = pair.a.op;
      sum.add(pair);
      all.add(pair);
    }
    if (!sum.a.op.empty()) result.push_back(sum);
  }
  result.push_back(all);
  for (Pair& sum : result) sum.a.snapshot = "total";
  return result;
}

std::string operations_text(const std::vector<Pair>& pairs, double weight) {
  TextTable table;
  for (const char* heading : {"snapshot", "layer", "op"}) table.add_column(heading, Align::left);
  add_columns(table, "A cycles", "B cycles");
  const auto add = [&](const Pair& pair) {
    const auto& [a, b] = pair;
    const auto figure = [](const StoredOperation& one) {
      return Figure{real(one.dense_cycles), real(one.zero_free_cycles), real(one.cycles)};
    };
    add_row(table, {a.snapshot, a.layer, a.op}, fmt::format("{}", a.cycles),
            fmt::format("{}", b.cycles), {figure(a), figure(b), weight});
  };
  for (const Pair& pair : pairs) add(pair);
  for (const Pair& sum : sums(pairs)) add(sum);
  table.fit(kTerminalWidth, kLayerColumn, kLeastLayerWidth);
  return table.text();
}

std::string microjoules(double pJ) { return fmt::format("{:.2f}", pJ / 1e6); }

/// Totals of energy and, where both results have the machine, of what it takes from memory to
/// memory. Its clocks are not weighted: memories are as fast whatever the number of multipliers.
std::string totals_text(const std::vector<Pair>& pairs) {
  TextTable table;
  table.add_column("totals", Align::left);
  table.add_column("op", Align::left);
  add_columns(table, "A", "B");
  const std::vector<Pair> all = sums(pairs);
  for (const auto& [a, b] : all) {
    const auto figure = [](const StoredOperation& one) {
      return Figure{one.dense_compute_energy_pJ, one.zero_free_compute_energy_pJ,
                    one.compute_energy_pJ};
    };
    add_row(table, {"energy of compute, uJ", a.op}, microjoules(a.compute_energy_pJ),
            microjoules(b.compute_energy_pJ), {figure(a), figure(b)});
  }
  if (!all.back().a.machine || !all.back().b.machine) return table.text();
  for (const auto& [a, b] : all) {
    const auto figure = [](const StoredMachine& one) {
      return Figure{real(one.dense_memory_cycles), real(one.zero_free_memory_cycles),
                    real(one.memory_cycles)};
    };
    add_row(table, {"clocks, memory to memory", a.op}, fmt::format("{}", a.machine->memory_cycles),
            fmt::format("{}", b.machine->memory_cycles), {figure(*a.machine), figure(*b.machine)});
  }
  for (const auto& [a, b] : all) {
    const auto figure = [](const StoredMachine& one) {
      return Figure{one.dense_energy_pJ, 0, one.energy_pJ};
    };
    add_row(table, {"energy, memory to memory, uJ", a.op}, microjoules(a.machine->energy_pJ),
            microjoules(b.machine->energy_pJ), {figure(*a.machine), figure(*b.machine)});
  }
  return table.text();
}

/// A line for each layer of which `others` lacks operations.
std::string missing_text(const StoredResult& result, const ByKey& others, const char* name) {
  std::string text;
  std::string layer;
  for (const StoredOperation& operation : result.operations) {
    if (others.count(key(operation)) > 0) continue;
    const std::string path = operation.snapshot + "/" + operation.layer;
    if (path != layer)
      text += fmt::format("{}only in {}: {}", text.empty() ? "" : "\n", name, path);
    layer = path;
    text += " " + operation.op;
  }
  return text.empty() ? text : text + '\n';
}

}  // namespace

std::string comparison_text(const StoredResult& a, const StoredResult& b) {
  const ByKey of_a = by_key(a);
  const ByKey of_b = by_key(b);
  std::vector<Pair> pairs;
  for (const StoredOperation& operation : a.operations) {
    const auto other = of_b.find(key(operation));
    if (other != of_b.end()) pairs.push_back({operation, *other->second});
  }
  std::string text =
      fmt::format("A: {}\nB: {}\n\n{}{}{}{}\n", a.file, b.file, differences_text(a, b),
                  notes_text(a, b, "A"), notes_text(b, a, "B"), weight_text(a, b));
  text += pairs.empty() ? "no operation is in both\n"
                        : operations_text(pairs, weight(a, b)) + '\n' + totals_text(pairs);
  const std::string missing = missing_text(a, of_b, "A") + missing_text(b, of_a, "B");
  return missing.empty() ? text : text + '\n' + missing;
}

}  // namespace td::sim
