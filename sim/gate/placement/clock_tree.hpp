// SPDX-License-Identifier: Apache-2.0
// The clock's wires: a tree of buffers from its port to the placed registers.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/placement/layout.hpp"
#include "sim/gate/placement/wiring.hpp"

namespace td::gate {

/// Adds the nets of a clock, which the layout leaves out, to a wiring that has all others, and its
/// buffers behind the repeaters. Returns how many cells are in front of each register.
///
/// It grows from the registers on, level by level. What is on a level is cut into halves where it
/// lies until a buffer drives pins and wire of each part, or there are two, however far: these
/// buffers are on the next level. A clock gate is on the level above all that is behind it. So
/// there are as many cells in front of one register as of another; what skew is left comes from
/// their loads and kinds, and from the lengths of wires.
std::size_t add_clock_tree(const std::vector<Net>& clock_nets, const Netlist& netlist,
                           const Library& library, const WireRules& rules, Layout& layout,
                           Places& places, Wiring& wiring);

}  // namespace td::gate
