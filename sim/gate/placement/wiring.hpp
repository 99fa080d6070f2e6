// SPDX-License-Identifier: Apache-2.0
// The wires of a placed netlist, cut by repeaters where they are long.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/placement/layout.hpp"
#include "sim/gate/placement/wire_tree.hpp"

namespace td::gate {

/// What a library and its metals say.
struct WireRules {
  double pF_per_um = 0;
  double ohm_per_um = 0;
  std::size_t repeater = 0;  ///< a buffer's number in the library: one input, one output
  double limit_pF = 0;       ///< that a repeater drives at most; others by their strength
};

/// A net, or what a repeater in it drives.
struct Wire {
  Net net = no_net;  ///< in the netlist
  PlacedPin driver;
  std::vector<PlacedPin> sinks;
};

struct Wiring {
  std::vector<Wire> wires;
  std::size_t repeaters = 0;  ///< their numbers are behind those of all other vertices
};

/// Cuts each net whose pins and wire are more than its driver drives, from its sinks on, where what
/// is behind a place gets more than a repeater drives. Adds the repeaters' places.
Wiring with_repeaters(const Layout& layout, const Netlist& netlist, const Library& library,
                      const WireRules& rules, Places& places);

/// The tree of a wire: its driver is the first node, then come its sinks.
WireTree tree_of(const Layout& layout, const Wire& wire, const Places& places);

}  // namespace td::gate
