// SPDX-License-Identifier: Apache-2.0
// A network as its layers' shapes, for simulations without a trace: read from TOML.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/readers/document.hpp"
#include "sim/mapping/layer_links.hpp"

namespace td::sim {

/// A network at one batch. The text's keys are described in networks/README.md.
struct Network {
  Document document;
  std::string name;
  std::int64_t batch = 1;
  std::vector<LayerInfo> layers;  ///< in forward order; their snapshot is the network's name
  LayerLinks links;
};

/// Reads and checks a network; samples are multiplied by `batch`. Throws UserError, one line naming
/// file, field, value and what would be legal.
Network parse_network(const Document& document, std::int64_t batch);

/// The same for a file, else for an embedded network of that name (`resnet50`).
Network load_network(const std::string& name, std::int64_t batch);

}  // namespace td::sim
