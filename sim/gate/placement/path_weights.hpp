// SPDX-License-Identifier: Apache-2.0
// Which wires a placer should keep short: those on slow paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/placement/layout.hpp"

namespace td::gate {

/// Weights of wires, by number. Empty: all weigh 1.
using Weights = std::vector<double>;

/// Paths from registers and input ports to registers and output ports, with a rough delay for each
/// gate, sink and µm: timing analysis proper comes when all is placed. A register of the falling
/// edge leaves its path half a clock.
class PathWeights {
 public:
  PathWeights(const Netlist& netlist, const Library& library, const Layout& layout);

  /// 1 for wires on paths that are fast enough, more the slower the slowest path through one is.
  Weights of(const Places& places) const;

 private:
  enum class Kind : std::uint8_t { gate, rising, falling };

  std::vector<double> delays_of(const Places& places) const;
  std::vector<double> arrivals(const std::vector<double>& delays) const;
  double clock_of(const std::vector<double>& arrivals) const;
  std::vector<double> required(const std::vector<double>& delays, double clock) const;
  Kind kind_of(Vertex vertex) const {  ///< paths begin and end at ports as at registers
    return at(vertex) < kinds_.size() ? kinds_[at(vertex)] : Kind::rising;
  }
  bool drives(Vertex vertex, std::int32_t wire) const {
    return *layout_->begin(at(wire)) == vertex;
  }
  template <class Use>
  void each_wire(Vertex vertex, Use use) const {
    for (const std::int32_t* wire = layout_->nets_begin(at(vertex));
         wire != layout_->nets_end(at(vertex)); ++wire)
      use(*wire);
  }
  /// What shares of a clock the paths have that end at a wire.
  template <class Use>
  void each_end(std::size_t wire, Use use) const {
    for (const Vertex* sink = layout_->begin(wire) + 1; sink != layout_->end(wire); ++sink) {
      const Kind kind = kind_of(*sink);
      if (kind != Kind::gate) use(kind == Kind::falling ? 0.5 : 1.0);
    }
  }

  const Layout* layout_;
  std::vector<Kind> kinds_;    ///< by gate
  std::vector<Vertex> order_;  ///< gates that are no registers, those in front of others first
};

}  // namespace td::gate
