// SPDX-License-Identifier: Apache-2.0
// Power of a netlist from its activity, by liberty's tables.
#pragma once

#include <string>
#include <vector>

#include "sim/gate/liberty.hpp"
#include "sim/gate/netlist.hpp"

namespace td::gate {

/// What a net did, for each net of a netlist.
struct Activity {
  std::vector<double> toggles_per_clock;
  std::vector<double> share_of_ones;
};

/// Transition times at the input pins of gates, in ns, from timing analysis.
class Slews {
 public:
  /// Lines "MODULE INSTANCE PIN SLEW_NS"; a module's figures serve all its instances. A pin without
  /// a line has `fallback_ns`. Throws UserError.
  static Slews read(const std::string& path, double fallback_ns);
  double at(const std::string& module, const std::string& instance, const std::string& pin) const;

 private:
  // Left to the implementation.
};

/// What liberty does not say.
struct PowerOptions {
  double clock_ns = 0;
  double wire_pF_per_fanout = 0;  ///< wire capacitance of a net, for each input pin that it drives
  std::string clock_buffer;       ///< cell of the estimated clock tree; empty: none
  int clock_buffer_fanout = 0;    ///< sinks or buffers that one such cell drives
};

/// µW.
struct Power {
  double internal = 0;
  double switching = 0;
  double leakage = 0;

  double total() const { return internal + switching + leakage; }
};

/// By kind of cell.
struct PowerGroups {
  Power sequential;
  Power combinational;
  Power clock_tree;  ///< clock gates' and estimated buffers'; the flip-flops' clock pins are
                     ///< sequential

  Power total() const;
};

/// Power of each block's own gates (its children's apart), in the order of Netlist::blocks.
std::vector<PowerGroups> power(const Netlist& netlist, const Library& library,
                               const Activity& activity, const Slews& slews,
                               const PowerOptions& options);

}  // namespace td::gate
