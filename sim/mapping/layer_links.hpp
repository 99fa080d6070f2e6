// SPDX-License-Identifier: Apache-2.0
// Which layers' results become which layers' activations.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/mapping/layer.hpp"

namespace td::sim {

/// What is known of a layer's activations.
struct LayerLink {
  /// Layers whose results they are, through ReLU and what follows it sample by sample (pooling,
  /// dropout, concatenation along the channels). Empty: nobody has said.
  std::vector<std::size_t> from;
  /// Whether they have been through ReLU, whatever stands before it: where they are zero, nobody
  /// needs their gradients.
  bool relu = false;
};

/// Of each layer; empty: nobody has said.
using LayerLinks = std::vector<LayerLink>;

/// What is wrong with the links of the last layer, in words of what would be legal; empty: nothing.
std::string link_obstacle(const std::vector<LayerInfo>& layers, const LayerLinks& links);

}  // namespace td::sim
