// SPDX-License-Identifier: Apache-2.0
#include "sim/result_comparison.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "sim/layer.hpp"
#include "sim/text_table.hpp"

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

/// An operation of both results, or a sum of such.
struct Pair {
  StoredOperation a;
  StoredOperation b;

  void add(const Pair& other) {
    a.dense_cycles += other.a.dense_cycles;
    a.cycles += other.a.cycles;
    b.dense_cycles += other.b.dense_cycles;
    b.cycles += other.b.cycles;
  }
};

std::string ratio_text(std::int64_t part, std::int64_t whole, int digits) {
  if (whole == 0) return "-";
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
  std::string text = fmt::format("A: {}\nB: {}\n\n{}\n", a.file, b.file, differences_text(a, b));
  text += pairs.empty() ? "no operation is in both\n" : operations_text(pairs);
  const std::string missing = missing_text(a, of_b, "A") + missing_text(b, of_a, "B");
  return missing.empty() ? text : text + '\n' + missing;
}

}  // namespace td::sim
