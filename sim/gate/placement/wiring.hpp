// SPDX-License-Identifier: Apache-2.0
// The wires of a placed netlist: cut by repeaters where they are long, and the clock's tree of
// buffers.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/gate/layout/layout.hpp"
#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/placement/parts.hpp"
#include "sim/gate/placement/wire_tree.hpp"

namespace td::gate {

/// What a library and its metals say.
struct WireRules {
  double pF_per_um = 0;
  double ohm_per_um = 0;
  std::size_t repeater = 0;      ///< a buffer's number in the library: one input, one output
  double limit_pF = 0;           ///< that a repeater drives at most; others by their strength
  std::size_t clock_buffer = 0;  ///< as `repeater`, of the clock's tree
  double clock_limit_pF = 0;     ///< likewise
};

struct Wiring {
  std::vector<Wire> wires;      ///< those of the clock behind all others
  std::size_t clock_begin = 0;  ///< the first of them
  std::size_t repeaters = 0;    ///< of the layout's buffers; all behind them are the clock's
};

/// The number of a buffer's one pin of a direction.
std::int32_t pin_of(const Cell& buffer, PinDirection direction);

/// What a sink loads its net with; a port nothing.
double pin_pF(const Layout& layout, const Library& library, const PlacedPin& sink);

Branch branch_to(const PlacedPin& sink, const Layout& layout, const Library& library,
                 const Places& places);

/// What a driver may drive where a buffer may drive `limit`: less if it is weaker.
double limit_pF(const Layout& layout, const Library& library, const PlacedPin& driver,
                std::size_t buffer, double limit);

/// Cuts each net whose pins and wire are more than its driver drives, from its sinks on, where what
/// is behind a place gets more than a repeater drives, while cells lie there. Of more than 20 sinks
/// those that are near each other get repeaters first. Adds repeaters, and their places.
Wiring with_repeaters(const Library& library, const WireRules& rules, Layout& layout,
                      Places& places);

/// Moves clock gates amid what is behind them.
void move_clock_gates(const std::vector<Net>& clock_nets, const Netlist& netlist,
                      const Library& library, const Layout& layout, Places& places);

/// Adds the nets of a clock, which the layout does not wire, to a wiring that has all others, and
/// its buffers behind the repeaters. Returns how many cells are in front of each register.
///
/// It grows from the registers on, level by level. What is on a level is cut into halves where it
/// lies until a buffer drives pins and wire of each part, or there are two, however far: these
/// buffers are on the next level. A clock gate is on the level above all that is behind it. So
/// there are as many cells in front of one register as of another; what skew is left comes from
/// their loads and kinds, and from the lengths of wires.
std::size_t add_clock_tree(const std::vector<Net>& clock_nets, const Netlist& netlist,
                           const Library& library, const WireRules& rules, Layout& layout,
                           Places& places, Wiring& wiring);

/// The tree of a wire: its driver is the first node, then come its sinks.
WireTree tree_of(const Layout& layout, const Wire& wire, const Places& places);

}  // namespace td::gate
