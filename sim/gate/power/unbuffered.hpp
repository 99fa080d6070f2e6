// SPDX-License-Identifier: Apache-2.0
// A netlist without the buffers that stood in it before anyone knew how long its wires are.
#pragma once

#include <cstddef>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"

namespace td::gate {

/// Takes out the gates that repeat their one input. What such a gate drove is at its input's net
/// then; its own net keeps its number, and has no pins. Returns how many it took out.
///
/// These remain: what is of the clock's network (`clock`: its input, or no_net); buffers of a net
/// that has more than 32 input pins of gates without them, which are a tree; and those behind a
/// constant, or behind each other in a ring.
std::size_t take_out_buffers(const Library& library, Net clock, Netlist& netlist);

}  // namespace td::gate
