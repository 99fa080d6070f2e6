// SPDX-License-Identifier: Apache-2.0
#include "sim/mapping/selection.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "gen/base/error.hpp"

namespace td::sim {
namespace {

/// With the wildcards of a shell: *, ? and [...]; a name with any of them matches itself, too.
bool matches_pattern(const std::optional<std::string>& wanted, const std::string& actual) {
  return !wanted || *wanted == actual || ::fnmatch(wanted->c_str(), actual.c_str(), 0) == 0;
}

bool matches(const std::optional<std::string>& wanted, const std::string& actual) {
  return !wanted || *wanted == actual;
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
    SelectedLayer one{&layer, {}, false};
    one.lacks_dgrad = !layer.needs_input_grad && matches(selection.op, to_string(Op::dgrad));
    for (const Op op : operations(layer)) {
      if (matches(selection.op, to_string(op))) one.ops.push_back(op);
    }
    selected.push_back(std::move(one));
  }
  const auto has_work = [](const SelectedLayer& one) { return !one.ops.empty(); };
  if (std::none_of(selected.begin(), selected.end(), has_work)) {
    throw UserError(file, "--snapshot, --layer, --op",
                    fmt::format("{}, {}, {}", selection.snapshot.value_or("(any)"),
                                selection.layer.value_or("(any)"), selection.op.value_or("(any)")),
                    "a snapshot, layer and operation (fwd, dgrad, wgrad) that are there");
  }
  return selected;
}

}  // namespace td::sim
