// SPDX-License-Identifier: Apache-2.0
// A placed netlist, as timing analysis reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim/gate/layout/layout.hpp"
#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/placement/wiring.hpp"

namespace td::gate {

/// A placed netlist with its buffers; all of it outlives this.
struct PlacedDesign {
  const Netlist& netlist;
  const Library& library;
  const Layout& layout;
  const WireRules& rules;
  const Wiring& wiring;
  const Places& places;
};

/// Names of a placed netlist's nets. Gates and nets are called by their paths, a net at a port by
/// the port, buffers "repeater_N" and "clock_buffer_N".
class PlacedNames {
 public:
  explicit PlacedNames(const PlacedDesign& design);

  /// Of what a pin is at: a wire, or a net that nobody reads; a constant is "0" or "1".
  /// `index`: of a gate's pin in Netlist::pin_nets.
  std::string at_pin(std::size_t index) const;
  std::string wire(std::size_t number) const;  ///< index in Wiring::wires
  std::string vertex(Vertex vertex) const;     ///< a gate, a port's bit, a buffer
  const Cell& cell(Vertex vertex) const;       ///< of a gate or buffer
  std::string net(Net net) const;              ///< of the netlist, as it is at its driver
  const std::string& port(std::size_t bit) const { return ports_[bit]; }
  std::size_t ports() const { return ports_.size(); }
  std::string at_port(std::size_t bit) const;  ///< what an output port's bit is joined to
  bool is_port_name(const std::string& name) const { return port_names_.count(name) > 0; }
  std::int32_t into_buffer(std::size_t number) const { return into_buffer_[number]; }  ///< wire
  std::int32_t behind_buffer(std::size_t number) const { return behind_buffer_[number]; }

 private:
  const PlacedDesign& design_;
  std::vector<std::string> ports_;  ///< bits
  std::unordered_set<std::string> port_names_;
  std::vector<Net> port_nets_;
  std::vector<std::int32_t> wire_at_pin_, wire_at_port_, into_buffer_, behind_buffer_;
  std::vector<std::int32_t> port_of_net_, port_of_wire_;
};

/// One module without others inside.
std::string flat_verilog(const PlacedDesign& design, const PlacedNames& names);

/// Its places, and what is to be joined, in DEF 5.6: every other row flipped, ports around them on
/// "metal2" and "metal3". Tracks are left to who routes.
std::string def(const PlacedDesign& design, const PlacedNames& names, const Core& core);

/// Its wires in IEEE 1481 (SPEF): the edges of each tree, their capacitance in halves at both ends.
std::string spef(const PlacedDesign& design, const PlacedNames& names);

/// What its nets load, as read_net_loads() reads it.
std::string loads(const PlacedDesign& design);

}  // namespace td::gate
