// SPDX-License-Identifier: Apache-2.0
// How the clock reaches the flip-flops of a netlist: back from their clock pins, then forward.
#include "sim/gate/power/clock_network.hpp"

#include <algorithm>
#include <utility>

namespace td::gate {

namespace {

class Finder {
 public:
  Finder(const Netlist& netlist, const Library& library)
      : netlist_(&netlist), library_(&library), driver_(at(netlist.nets), -1) {
    for (std::size_t gate = 0; gate < netlist.gates.size(); ++gate) {
      for_pins(gate, PinDirection::output,
               [&](Net net) { driver_[at(net)] = static_cast<std::int32_t>(gate); });
    }
  }

  ClockNetwork find(Net clock) {
    ClockNetwork network;
    network.clock_gates.resize(netlist_->gates.size());
    if (clock == no_net) return network;
    go_back();
    if (!reaches_[at(clock)]) return network;
    go_forward(clock, network);
    std::sort(network.nets.begin(), network.nets.end());
    add_enables(network);
    return network;
  }

 private:
  const Cell& cell(std::size_t gate) const {
    return library_->cells[at(netlist_->gates[gate].cell)];
  }

  bool is_combinational(std::size_t gate) const {
    return !cell(gate).flip_flop && !cell(gate).other_state;
  }

  template <class Visit>
  void for_pins(std::size_t gate, PinDirection direction, const Visit& visit) const {
    const std::vector<Pin>& pins = cell(gate).pins;
    for (std::size_t pin = 0; pin < pins.size(); ++pin) {
      const Net net = netlist_->pin_nets[at(netlist_->gates[gate].first) + pin];
      if (pins[pin].direction == direction && net > net_one) visit(net);
    }
  }

  /// From the flip-flops' clock pins: nets that reach one, and the gates between.
  void go_back() {
    reaches_.assign(at(netlist_->nets), false);
    std::vector<Net> pending;
    const auto reach = [&](Net net) {
      if (net <= net_one || reaches_[at(net)]) return;
      reaches_[at(net)] = true;
      pending.push_back(net);
    };
    for (std::size_t gate = 0; gate < netlist_->gates.size(); ++gate) {
      if (!cell(gate).flip_flop) continue;
      for (const Expression::Term& term : cell(gate).flip_flop->clocked_on.terms) {
        if (term.op != Expression::Op::pin) continue;
        reach(netlist_->pin_nets[at(netlist_->gates[gate].first) + at(term.pin)]);
      }
    }
    std::vector<char> seen(netlist_->gates.size());
    while (!pending.empty()) {
      const std::int32_t driver = driver_[at(pending.back())];
      pending.pop_back();
      if (driver < 0 || seen[at(driver)] != 0 || !is_combinational(at(driver))) continue;
      seen[at(driver)] = 1;
      for_pins(at(driver), PinDirection::input, [&](Net net) {
        edges_.emplace_back(net, at(driver));
        reach(net);
      });
    }
    std::sort(edges_.begin(), edges_.end());
  }

  /// From the clock, through the gates of go_back().
  void go_forward(Net clock, ClockNetwork& network) {
    std::vector<char> found(at(netlist_->nets));
    const auto add = [&](Net net) {
      if (!reaches_[at(net)] || found[at(net)] != 0) return;
      found[at(net)] = 1;
      network.nets.push_back(net);
    };
    add(clock);
    for (std::size_t i = 0; i < network.nets.size(); ++i) {
      const Net net = network.nets[i];
      for (auto edge =
               std::lower_bound(edges_.begin(), edges_.end(), std::pair(net, std::size_t{0}));
           edge != edges_.end() && edge->first == net; ++edge) {
        network.clock_gates[edge->second] = 1;
        for_pins(edge->second, PinDirection::output, add);
      }
    }
  }

  /// Adds the flip-flops and latches that only serve to gate.
  void add_enables(ClockNetwork& network) const {
    std::vector<char> elsewhere(at(netlist_->nets));  // drives more than gates of clock nets
    for (std::size_t gate = 0; gate < netlist_->gates.size(); ++gate) {
      if (network.clock_gates[gate] != 0) continue;
      for_pins(gate, PinDirection::input, [&](Net net) { elsewhere[at(net)] = 1; });
    }
    for (const Port& port : netlist_->ports) {
      for (const Net net : port.bits) {
        if (port.direction == PinDirection::output && net > net_one) elsewhere[at(net)] = 1;
      }
    }
    std::vector<std::size_t> enables;
    for (const auto& edge : edges_) {
      const std::int32_t driver = driver_[at(edge.first)];
      if (driver < 0 || !cell(at(driver)).flip_flop) continue;
      bool only_gates = true;
      for_pins(at(driver), PinDirection::output,
               [&](Net output) { only_gates = only_gates && elsewhere[at(output)] == 0; });
      if (only_gates) enables.push_back(at(driver));
    }
    for (const std::size_t gate : enables) network.clock_gates[gate] = 1;
  }

  const Netlist* netlist_;
  const Library* library_;
  std::vector<std::int32_t> driver_;                ///< gate, by net; -1: none
  std::vector<bool> reaches_;                       ///< by net: reaches a clock pin
  std::vector<std::pair<Net, std::size_t>> edges_;  ///< input net and gate, of gates that reach one
};

}  // namespace

ClockNetwork find_clock_network(const Netlist& netlist, const Library& library, Net clock) {
  return Finder(netlist, library).find(clock);
}

}  // namespace td::gate
