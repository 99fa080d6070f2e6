// SPDX-License-Identifier: Apache-2.0
#include "sim/results/result_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "gen/base/text_table.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

namespace {

using Align = TextTable::Align;

constexpr std::size_t kTerminalWidth = 120;
constexpr std::size_t kLeastLayerWidth = 12;
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
  sum.cycles += operation.cycles;
  sum.dense_memory_cycles += operation.dense_memory_cycles;
  sum.memory_cycles += operation.memory_cycles;
  sum.dense_energy_pJ += operation.dense_energy_pJ;
  sum.energy_pJ += operation.energy_pJ;
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

template <class Number>
std::string ratio_text(Number part, Number whole, int digits) {
  if (!(whole > 0)) return "-";
  return fmt::format("{:.{}f}", static_cast<double>(part) / static_cast<double>(whole), digits);
}

void add_row(TextTable& table, const Pair& pair) {
  table.add_row({pair.a.snapshot, pair.a.layer, pair.a.op, fmt::format("{}", pair.a.cycles),
                 fmt::format("{}", pair.b.cycles), ratio_text(pair.b.cycles, pair.a.cycles, 3),
                 ratio_text(pair.a.dense_cycles, pair.a.cycles, 2),
                 ratio_text(pair.b.dense_cycles, pair.b.cycles, 2)});
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

std::string operations_text(const std::vector<Pair>& pairs) {
  TextTable table;
  for (const char* heading : {"snapshot", "layer", "op"}) table.add_column(heading, Align::left);
  for (const char* heading : {"A cycles", "B cycles", "B/A", "A speed-up", "B speed-up"}) {
    table.add_column(heading, Align::right);
  }
  for (const Pair& pair : pairs) add_row(table, pair);
  for (const Pair& sum : sums(pairs)) add_row(table, sum);
  table.fit(kTerminalWidth, kLayerColumn, kLeastLayerWidth);
  return table.text();
}

/// Totals of what memory adds: cycles and energy, beside the same of dense tiles.
std::string memory_text(const std::vector<Pair>& pairs) {
  TextTable table;
  table.add_column("with memory", Align::left);
  table.add_column("op", Align::left);
  for (const char* heading : {"A", "B", "B/A", "A dense/A", "B dense/B"}) {
    table.add_column(heading, Align::right);
  }
  for (const Pair& sum : sums(pairs)) {
    const StoredOperation& a = sum.a;
    const StoredOperation& b = sum.b;
    table.add_row({"cycles", a.op, fmt::format("{}", a.memory_cycles),
                   fmt::format("{}", b.memory_cycles),
                   ratio_text(b.memory_cycles, a.memory_cycles, 3),
                   ratio_text(a.dense_memory_cycles, a.memory_cycles, 2),
                   ratio_text(b.dense_memory_cycles, b.memory_cycles, 2)});
  }
  for (const Pair& sum : sums(pairs)) {
    const StoredOperation& a = sum.a;
    const StoredOperation& b = sum.b;
    table.add_row({"energy, uJ", a.op, fmt::format("{:.2f}", a.energy_pJ / 1e6),
                   fmt::format("{:.2f}", b.energy_pJ / 1e6),
                   ratio_text(b.energy_pJ, a.energy_pJ, 3),
                   ratio_text(a.dense_energy_pJ, a.energy_pJ, 2),
                   ratio_text(b.dense_energy_pJ, b.energy_pJ, 2)});
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
  std::string text = fmt::format("A: {}\nB: {}\n\n{}{}{}\n", a.file, b.file, differences_text(a, b),
                                 notes_text(a, b, "A"), notes_text(b, a, "B"));
  text += pairs.empty() ? "no operation is in both\n"
                        : operations_text(pairs) + '\n' + memory_text(pairs);
  const std::string missing = missing_text(a, of_b, "A") + missing_text(b, of_a, "B");
  return missing.empty() ? text : text + '\n' + missing;
}

}  // namespace td::sim
