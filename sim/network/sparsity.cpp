// SPDX-License-Identifier: Apache-2.0
#include "sim/network/sparsity.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <numeric>

#include "base/readers/toml_document.hpp"
#include "base/readers/toml_table.hpp"
#include "base/support/error.hpp"
#include "sim/network/embedded.hpp"

namespace td::sim {

namespace {

constexpr Operand all_operands[] = {Operand::A, Operand::W, Operand::GO};
constexpr double longest_run = 1e6;
constexpr std::int64_t last_epoch = 1000000;

bool fits(const std::string& pattern, const LayerInfo& layer) {
  return ::fnmatch(pattern.c_str(), layer.name.c_str(), 0) == 0;
}

/// Where in training: how much the shares of each epoch of a file count.
class Epoch {
 public:
  Epoch(const TomlTable& root, const std::string& file, std::optional<double> wanted) {
    if (!root.has("epochs")) {
      if (wanted) fail(*wanted, fmt::format("none, as {} says no epochs", file));
      return;
    }
    const std::vector<std::int64_t> epochs = root.integers("epochs", 0, last_epoch);
    for (std::size_t i = 1; i < epochs.size(); ++i) {
      if (epochs[i] <= epochs[i - 1]) root.fail("epochs", "epochs in ascending order");
    }
    const std::string legal =
        fmt::format("{}..{}, the epochs of {}", epochs.front(), epochs.back(), file);
    if (!wanted) throw UserError("command line", "--epoch", "(absent)", legal);
    // Written so that a NaN is refused.
    if (!(*wanted >= static_cast<double>(epochs.front()) &&
          *wanted <= static_cast<double>(epochs.back()))) {
      fail(*wanted, legal);
    }
    weights_.assign(epochs.size(), 0);
    std::size_t after = 0;
    while (static_cast<double>(epochs[after]) < *wanted) ++after;
    weights_[after] = 1;
    if (static_cast<double>(epochs[after]) == *wanted) return;
    weights_[after] = (*wanted - static_cast<double>(epochs[after - 1])) /
                      static_cast<double>(epochs[after] - epochs[after - 1]);
    weights_[after - 1] = 1 - weights_[after];
  }

  double share(const TomlTable& table) const {
    if (weights_.empty()) return table.number("zeros", 0, 1);
    const std::vector<double> shares = table.numbers("zeros", 0, 1, weights_.size());
    return std::inner_product(shares.begin(), shares.end(), weights_.begin(), 0.0);
  }

 private:
  [[noreturn]] static void fail(double wanted, const std::string& legal) {
    throw UserError("command line", "--epoch", fmt::format("{}", wanted), legal);
  }

  std::vector<double> weights_;  ///< by epoch of the file; empty: it says none
};

ZeroChange read_change(const TomlTable& table, const Epoch& epoch) {
  table.allow_only({"zeros", "run", "spread"});
  ZeroChange change;
  if (table.has("zeros")) change.zeros = epoch.share(table);
  if (table.has("run")) change.run = table.number("run", 1, longest_run);
  if (table.has("spread")) change.spread = table.number("spread", 0, 1);
  return change;
}

SparsityEntry read_entry(const TomlTable& table, const Epoch& epoch) {
  table.allow_only({"name", "A", "W", "GO"});
  SparsityEntry entry;
  entry.pattern = table.name("name");
  for (const Operand operand : all_operands) {
    const char* key = to_string(operand);
    if (!table.has(key)) continue;
    entry.operands[static_cast<int>(operand)] = read_change(table.table(key), epoch);
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

Sparsity parse_sparsity(const Document& document, std::optional<double> epoch) {
  const toml::table parsed = parse_toml(document.text, document.file);
  const TomlTable root(parsed, document.file, "");
  root.allow_only({"A", "W", "GO", "input", "epochs", "layers"});
  const Epoch at(root, document.file, epoch);
  Sparsity sparsity;
  sparsity.document = document;
  sparsity.epoch = epoch;
  for (const Operand operand : all_operands) {
    const TomlTable table = root.table(to_string(operand));
    at.share(table);  // must be there
    sparsity.operands[static_cast<int>(operand)] = read_change(table, at);
  }
  if (root.has("input")) sparsity.input = read_change(root.table("input"), at);
  if (!root.has("layers")) return sparsity;
  for (const TomlTable& table : root.tables("layers")) {
    sparsity.entries.push_back(read_entry(table, at));
  }
  return sparsity;
}

Sparsity load_sparsity(const std::string& name, std::optional<double> epoch) {
  return parse_sparsity(find_document(name, "--sparsity", sparsities()), epoch);
}

}  // namespace td::sim
