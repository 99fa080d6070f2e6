// SPDX-License-Identifier: Apache-2.0
#include "sim/mapping/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>

#include "base/support/error.hpp"

namespace td::sim {
namespace {

/// With the wildcards of a shell: *, ? and [...]; a name with any of them matches itself, too.
bool matches_pattern(const std::optional<std::string>& wanted, const std::string& actual) {
  return !wanted || *wanted == actual || ::fnmatch(wanted->c_str(), actual.c_str(), 0) == 0;
}

bool matches(const std::optional<std::string>& wanted, const std::string& actual) {
  return !wanted || *wanted == actual;
}

/// What was asked for, beside the layers that there are.
UserError nothing_selected(const LayerSelection& selection, const std::vector<LayerInfo>& layers,
                           const std::string& file) {
  std::vector<std::string> options;
  std::vector<std::string> values;
  const auto add = [&](const char* option, const std::optional<std::string>& value) {
    if (!value) return;
    options.push_back(option);
    values.push_back(*value);
  };
  add("--snapshot", selection.snapshot);
  add("--layer", selection.layer);
  add("--op", selection.op);
  constexpr std::size_t most = 8;
  std::vector<std::string> there;
  for (std::size_t i = 0; i < std::min(most, layers.size()); ++i) {
    there.push_back(layers[i].snapshot.empty()
                        ? layers[i].name
                        : fmt::format("{} of {}", layers[i].name, layers[i].snapshot));
  }
  return UserError(file, fmt::format("{}", fmt::join(options, ", ")),
                   fmt::format("{}", fmt::join(values, ", ")),
                   fmt::format("fwd, wgrad, or dgrad where the input needs a gradient, of: {}{}",
                               fmt::join(there, ", "), layers.size() > most ? ", …" : ""));
}

}  // namespace

std::vector<SelectedLayer> select_layers(const std::vector<LayerInfo>& layers,
                                         const LayerSelection& selection, const std::string& file) {
  std::vector<SelectedLayer> selected;
  for (const LayerInfo& layer : layers) {
    if (!matches(selection.snapshot, layer.snapshot) ||
        !matches_pattern(selection.layer, layer.name)) {
      continue;
    }
    SelectedLayer one{&layer, {}, false, {}};
    one.lacks_dgrad = !layer.needs_input_grad && matches(selection.op, to_string(Op::dgrad));
    for (const Op op : layer.omits) {
      if (matches(selection.op, to_string(op))) one.omitted.push_back(op);
    }
    for (const Op op : operations(layer)) {
      if (matches(selection.op, to_string(op))) one.ops.push_back(op);
    }
    selected.push_back(std::move(one));
  }
  const auto has_work = [](const SelectedLayer& one) { return !one.ops.empty(); };
  if (std::none_of(selected.begin(), selected.end(), has_work)) {
    throw nothing_selected(selection, layers, file);
  }
  return selected;
}

}  // namespace td::sim
