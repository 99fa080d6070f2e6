// SPDX-License-Identifier: Apache-2.0
// Power of a netlist from its activity, by liberty's tables.
#pragma once

#include <string>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/power/net_loads.hpp"
#include "sim/gate/power/slews.hpp"

namespace td::gate {

/// What a net did, for each net of a netlist.
struct Activity {
  std::vector<double> toggles_per_clock;
  std::vector<double> share_of_ones;
};

/// What liberty does not say.
struct PowerOptions {
  double clock_ns = 0;
  double wire_pF_per_fanout = 0;  ///< wire capacitance of a net, for each input pin that it drives
  NetLoads loads;  ///< of nets that are placed, in place of the above and their pins; the netlist
                   ///< is that which was placed, without the buffers that were taken out
  Net clock = no_net;           ///< the clock's input; no_net: nothing is of the clock tree
  std::string clock_buffer;     ///< cell of the estimated clock tree; empty: none
  int clock_buffer_fanout = 0;  ///< sinks or buffers that one such cell drives, at most
};

/// µW.
struct Power {
  double internal = 0;
  double switching = 0;
  double leakage = 0;

  double total() const { return internal + switching + leakage; }
  Power& operator+=(const Power& other);
};

/// By kind of cell.
struct PowerGroups {
  Power sequential;
  Power combinational;
  Power clock_tree;  ///< clock gates' (as ClockNetwork has them) and estimated buffers'; the
                     ///< flip-flops' clock pins are sequential

  Power total() const;
};

/// Power of each block's own gates (its children's apart), in the order of Netlist::blocks.
///
/// Repeaters of a net are of the block of its driver (the top, if that is a port), toggle as it
/// does, share what is behind them evenly, and have the fallback slew at their inputs.
///
/// Internal power and leakage are CellPower's. Switching is half of capacitance times voltage
/// squared for each toggle of a net that a gate drives, and that gate's: input pins of gates, and
/// wire. Output ports load nothing; what drives input ports, the clock's too, is not counted. An
/// output without a net does not toggle; an input without one does not either and is one half of
/// the time.
///
/// The clock tree, where its nets are placed, is their buffers; like those of other nets they share
/// what is behind them evenly. Else it is estimated: between a clock net and its n > 1 sinks (input
/// pins) stand levels of ceil(n / clock_buffer_fanout) buffers, that of these, and so on until it
/// is one, which alone loads the clock net. A level's load, which is pins and wire, is spread
/// evenly over its buffers. Their inputs have the fallback slew. Sinks share the power of their
/// tree evenly: it counts in their blocks.
///
/// Throws UserError for a clock buffer that is none, a fan-out below 2, and a clock period that is
/// not positive.
std::vector<PowerGroups> power(const Netlist& netlist, const Library& library,
                               const Activity& activity, const Slews& slews,
                               const PowerOptions& options);

}  // namespace td::gate
