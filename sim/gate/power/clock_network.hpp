// SPDX-License-Identifier: Apache-2.0
// How the clock reaches the flip-flops of a netlist.
#pragma once

#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"

namespace td::gate {

/// Clock nets are the clock, and the outputs of combinational gates that have an input on a clock
/// net, as far as they reach a clock pin of a flip-flop, or what opens a latch, through such gates.
///
/// Clock gates are the gates that drive clock nets, and the flip-flops and latches that only serve
/// to gate: all that their outputs drive are inputs of gates that drive clock nets.
struct ClockNetwork {
  std::vector<Net> nets;          ///< ascending
  std::vector<char> clock_gates;  ///< by gate: is one
};

/// Empty when `clock` is no_net, or reaches no flip-flop.
ClockNetwork find_clock_network(const Netlist& netlist, const Library& library, Net clock);

}  // namespace td::gate
