// SPDX-License-Identifier: Apache-2.0
#include "sim/network/sparsity.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "gen/base/error.hpp"
#include "gen/readers/toml_document.hpp"
#include "gen/readers/toml_table.hpp"
#include "sim/network/embedded.hpp"

namespace td::sim {

namespace {

constexpr Operand all_operands[] = {Operand::A, Operand::W, Operand::GO};
constexpr double longest_run = 1e6;

bool fits(const std::string& pattern, const LayerInfo& layer) {
  return ::fnmatch(pattern.c_str(), layer.name.c_str(), 0) == 0;
}

ZeroChange read_change(const TomlTable& table) {
  table.allow_only({"zeros", "run", "spread"});
  ZeroChange change;
  if (table.has("zeros")) change.zeros = table.number("zeros", 0, 1);
  if (table.has("run")) change.run = table.number("run", 1, longest_run);
  if (table.has("spread")) change.spread = table.number("spread", 0, 1);
  return change;
}

SparsityEntry read_entry(const TomlTable& table) {
  table.allow_only({"name", "A", "W", "GO"});
  SparsityEntry entry;
  entry.pattern = table.name("name");
  for (const Operand operand : all_operands) {
    const char* key = to_string(operand);
    if (table.has(key)) entry.operands[static_cast<int>(operand)] = read_change(table.table(key));
  }
  return entry;
}

}  // namespace

void ZeroChange::apply(ZeroLaw& law) const {
  law = {zeros.value_or(law.zeros), run.value_or(law.run), spread.value_or(law.spread)};
}

ZeroLaw Sparsity::law(const LayerInfo& layer, Operand operand) const {
  ZeroLaw law;
  operands[static_cast<int>(operand)].apply(law);
  if (operand == Operand::A && !layer.needs_input_grad) input.apply(law);
  for (const SparsityEntry& entry : entries) {
    if (fits(entry.pattern, layer)) entry.operands[static_cast<int>(operand)].apply(law);
  }
  return law;
}

void Sparsity::check_names(const std::vector<LayerInfo>& layers) const {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string& pattern = entries[i].pattern;
    const auto is_fit = [&](const LayerInfo& layer) { return fits(pattern, layer); };
    if (std::any_of(layers.begin(), layers.end(), is_fit)) continue;
    throw UserError(document.file, fmt::format("layers[{}].name", i), pattern,
                    fmt::format("a pattern (*, ?, [...]) that fits a layer of {}, e.g. {}",
                                layers.front().snapshot, layers.front().name));
  }
}

Sparsity parse_sparsity(const Document& document) {
  const toml::table parsed = parse_toml(document.text, document.file);
  const TomlTable root(parsed, document.file, "");
  root.allow_only({"A", "W", "GO", "input", "layers"});
  Sparsity sparsity;
  sparsity.document = document;
  for (const Operand operand : all_operands) {
    const TomlTable table = root.table(to_string(operand));
    table.number("zeros", 0, 1);  // must be there
    sparsity.operands[static_cast<int>(operand)] = read_change(table);
  }
  if (root.has("input")) sparsity.input = read_change(root.table("input"));
  if (!root.has("layers")) return sparsity;
  for (const TomlTable& table : root.tables("layers")) {
    sparsity.entries.push_back(read_entry(table));
  }
  return sparsity;
}

Sparsity load_sparsity(const std::string& name) {
  return parse_sparsity(find_document(name, "--sparsity", sparsities()));
}

}  // namespace td::sim
