// SPDX-License-Identifier: Apache-2.0
// Which wires a placer should keep short: those on slow paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/gate/layout/layout.hpp"
#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/placement/wiring.hpp"

namespace td::gate {

/// Weights of wires, by number. Empty: all weigh 1.
using Weights = std::vector<double>;

/// Shares of the clock that neighbours have of the paths at ports.
struct PortShares {
  double input = 0;  ///< over when an input arrives; below 1, as is the other
  double output = 0;
};

/// Paths from registers and input ports to registers and output ports, with a rough delay for each
/// gate and what it loads: timing analysis proper comes when all is placed. Paths go through
/// latches, and end at clock gates, too.
class PathWeights {
 public:
  PathWeights(const Netlist& netlist, const Library& library, const Layout& layout,
              const WireRules& rules, PortShares ports);

  /// 1 for wires on paths that are fast enough, more the slower the slowest path through one is.
  Weights of(const Places& places) const;

 private:
  double delay_of(std::size_t wire, const Places& places) const;
  std::vector<double> delays_of(const Places& places) const;  ///< 0 of what is only drawn
  std::vector<double> arrivals(const std::vector<double>& delays, double input_ns) const;
  double clock_of(const std::vector<double>& arrivals) const;
  std::vector<double> required(const std::vector<double>& delays, double clock) const;
  void add_clock_gates();             ///< gates that drive nothing wired
  bool is_end(Vertex vertex) const {  ///< paths begin and end at ports as at registers
    return at(vertex) >= ends_.size() || ends_[at(vertex)];
  }
  bool drives(Vertex vertex, std::int32_t wire) const {
    return *layout_->begin(at(wire)) == vertex;
  }
  template <class Use>
  void each_wire(Vertex vertex, Use use) const {
    for (const std::int32_t* wire = layout_->nets_begin(at(vertex));
         wire != layout_->nets_end(at(vertex)); ++wire) {
      if (layout_->is_wired(at(*wire))) use(*wire);
    }
  }
  /// The share of a clock that paths have which end at a wire; 0: none does.
  double end_share(std::size_t wire) const {
    double share = 0;
    for (const Vertex* sink = layout_->begin(wire) + 1; sink != layout_->end(wire); ++sink) {
      if (layout_->is_port(at(*sink))) return 1 - ports_.output;
      if (is_end(*sink)) share = 1;
    }
    return share;
  }

  const Layout* layout_;
  WireRules rules_;
  PortShares ports_;
  std::vector<double> pins_pF_;    ///< by wire, of its sinks
  std::vector<double> limits_pF_;  ///< likewise, that its driver drives without repeaters
  std::vector<bool> ends_;         ///< by gate: paths begin and end there
  std::vector<Vertex> order_;      ///< the other gates, those in front of others first
};

}  // namespace td::gate
