// SPDX-License-Identifier: Apache-2.0
// Which layers' results become which layers' activations.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/mapping/layer.hpp"

namespace td::sim {

/// Of each layer: those whose results, through ReLU and what follows it sample by sample (pooling,
/// dropout, concatenation along the channels), are its activations. Empty: nobody has said.
using LayerLinks = std::vector<std::vector<std::size_t>>;

/// A layer whose activations the results of `layer` become, all of them if there are several; null:
/// none is known.
const LayerInfo* reader_of(const std::vector<LayerInfo>& layers, const LayerLinks& links,
                           std::size_t layer);

/// What is wrong with the links of the last layer, in words of what would be legal; empty: nothing.
std::string link_obstacle(const std::vector<LayerInfo>& layers, const LayerLinks& links);

}  // namespace td::sim
