// SPDX-License-Identifier: Apache-2.0
// What a user asks for of a network: a snapshot, a layer, an operation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/mapping/layer.hpp"

namespace td::sim {

/// What is asked for; absent: all.
struct LayerSelection {
  std::optional<std::string> snapshot;
  std::optional<std::string> layer;
  std::optional<std::string> op;  ///< fwd, dgrad or wgrad
};

/// A layer that was asked for.
struct SelectedLayer {
  const LayerInfo* layer;
  std::vector<Op> ops;      ///< those asked for that training does, in its order
  bool lacks_dgrad;         ///< dgrad was asked for, and its input needs no gradient
  std::vector<Op> omitted;  ///< asked for, and of those that the layer omits
};

/// The layers asked for, in the order of `layers`, which must outlive the result. Throws UserError,
/// which names `file`, when there is no operation to do in any of them.
std::vector<SelectedLayer> select_layers(const std::vector<LayerInfo>& layers,
                                         const LayerSelection& selection, const std::string& file);

}  // namespace td::sim
