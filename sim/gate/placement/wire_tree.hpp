// SPDX-License-Identifier: Apache-2.0
// The wire of a net, as a router would lay it, about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/gate/layout/point.hpp"
#include "sim/gate/netlist/netlist.hpp"

namespace td::gate {

/// A rectilinear Steiner tree. The first nodes are the pins that it was made of, in their order;
/// the first of these, the driver, is the root.
struct WireTree {
  std::vector<Point> nodes;
  std::vector<std::int32_t> parent;  ///< of each node; -1 of the root

  double length() const;                 ///< µm
  double edge(std::size_t node) const {  ///< from a node to its parent, µm
    return distance(nodes[node], nodes[at(parent[node])]);
  }
};

/// Pins join the tree one by one, the nearest first (Prim), where the tree is nearest: any way
/// between the ends of an edge that makes no detour is its wire, so that it may branch anywhere in
/// the edge's box. Of nets with many pins they join at pins only.
WireTree wire_tree(const std::vector<Point>& pins);

}  // namespace td::gate
