// SPDX-License-Identifier: Apache-2.0
// The clock's tree of buffers, grown from the registers on.

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/gate/placement/wiring.hpp"

namespace td::gate {

namespace {

/// Pins of a clock's nets.
class ClockPins {
 public:
  struct ClockNet {
    PlacedPin driver;
    std::vector<PlacedPin> sinks;
  };

  ClockPins(const std::vector<Net>& clock_nets, const Netlist& netlist, const Library& library,
            const Layout& layout)
      : netlist_(netlist), library_(library), layout_(layout), nets_(at(netlist.nets)) {
    for (const Net net : clock_nets) nets_[at(net)].emplace();
    for (std::size_t number = 0; number < netlist.gates.size(); ++number) {
      each_pin(number,
               [&](Net net, std::size_t pin, bool drives) { add(net, number, pin, drives); });
    }
    std::size_t vertex = layout.cells();
    for (const Port& port : netlist.ports) {
      for (const Net net : port.bits) add(net, vertex++, 0, port.direction == PinDirection::input);
    }
  }

  const ClockNet& net(Net net) const { return *nets_[at(net)]; }

  /// The clock's nets behind the gate of a sink.
  template <class Use>
  void each_behind(const PlacedPin& sink, Use use) const {
    if (layout_.is_port(at(sink.vertex))) return;
    each_pin(at(sink.vertex), [&](Net net, std::size_t, bool drives) {
      if (drives && is_clock(net)) use(net);
    });
  }

 private:
  bool is_clock(Net net) const { return net != no_net && nets_[at(net)]; }

  template <class Use>
  void each_pin(std::size_t number, Use use) const {
    const Gate& gate = netlist_.gates[number];
    const std::vector<Pin>& pins = library_.cells[at(gate.cell)].pins;
    for (std::size_t pin = 0; pin < pins.size(); ++pin) {
      use(netlist_.pin_nets[at(gate.first) + pin], pin,
          pins[pin].direction == PinDirection::output);
    }
  }

  void add(Net net, std::size_t vertex, std::size_t pin, bool drives) {
    if (!is_clock(net)) return;
    const PlacedPin placed{static_cast<Vertex>(vertex), static_cast<std::int32_t>(pin)};
    if (drives) {
      nets_[at(net)]->driver = placed;
    } else {
      nets_[at(net)]->sinks.push_back(placed);
    }
  }

  const Netlist& netlist_;
  const Library& library_;
  const Layout& layout_;
  std::vector<std::optional<ClockNet>> nets_;  ///< by net: those of the clock
};

/// Moves gates, those behind others first.
class GateMover {
 public:
  GateMover(const std::vector<Net>& clock_nets, const Netlist& netlist, const Library& library,
            const Layout& layout, Places& places)
      : pins_(clock_nets, netlist, library, layout),
        layout_(layout),
        places_(places),
        done_(at(netlist.nets), 0) {}

  /// The gate that drives a net, and all behind.
  void move(Net net) {
    if (done_[at(net)] != 0) return;
    done_[at(net)] = 1;
    const ClockPins::ClockNet& clock = pins_.net(net);
    for (const PlacedPin& sink : clock.sinks)
      pins_.each_behind(sink, [this](Net behind) { move(behind); });
    if (layout_.is_port(at(clock.driver.vertex))) return;
    Box box(places_[at(clock.sinks.front().vertex)]);
    for (const PlacedPin& sink : clock.sinks) box.add(places_[at(sink.vertex)]);
    places_[at(clock.driver.vertex)] = box.middle();
  }

 private:
  ClockPins pins_;
  const Layout& layout_;
  Places& places_;
  std::vector<char> done_;  ///< by net
};

class Grower {
 public:
  Grower(const std::vector<Net>& clock_nets, const Netlist& netlist, const Library& library,
         const WireRules& rules, Layout& layout, Places& places, Wiring& wiring)
      : pins_(clock_nets, netlist, library, layout),
        library_(library),
        rules_(rules),
        layout_(layout),
        places_(places),
        wiring_(wiring),
        levels_(at(netlist.nets)) {
    const Cell& buffer = library.cells[rules.clock_buffer];
    buffer_in_ = pin_of(buffer, PinDirection::input);
    buffer_out_ = pin_of(buffer, PinDirection::output);
  }

  /// Cells between the driver of a clock net, whose tree it grows, and the registers behind.
  std::size_t grow(Net net) {
    std::optional<std::size_t>& levels = levels_[at(net)];
    if (levels) return *levels;
    const ClockPins::ClockNet& clock = pins_.net(net);
    std::vector<Branches> joining;  // by level
    for (const PlacedPin& sink : clock.sinks) {
      const std::size_t level = level_of(sink);
      joining.resize(std::max(joining.size(), level + 1));
      joining[level].push_back(branch(sink));
    }
    Branches branches;
    for (std::size_t level = 0; true; ++level) {
      if (level < joining.size())
        branches.insert(branches.end(), joining[level].begin(), joining[level].end());
      const bool all = level + 1 >= joining.size();
      if (all && can_drive(clock.driver, branches)) {
        levels = level;
        break;
      }
      branches = buffered(net, std::move(branches));
    }
    wiring_.wires.push_back({net, clock.driver, pins_of(branches)});
    return *levels;
  }

 private:
  /// Of a pin at a clock net: above what is behind its gate, if that is the clock, too.
  std::size_t level_of(const PlacedPin& sink) {
    std::size_t level = 0;
    pins_.each_behind(sink, [&](Net net) { level = std::max(level, grow(net) + 1); });
    return level;
  }

  Branch branch(const PlacedPin& pin) const { return branch_to(pin, layout_, library_, places_); }

  bool can_drive(const PlacedPin& driver, const Branches& branches) const {
    const double limit =
        limit_pF(layout_, library_, driver, rules_.clock_buffer, rules_.clock_limit_pF);
    return branches.size() == 1 ||
           fit(layout_.where(driver, places_), branches, rules_.pF_per_um, limit);
  }

  Branches buffered(Net net, Branches branches) {
    Branches buffers;
    for (const Part& part : parts_of(std::move(branches), rules_.pF_per_um, rules_.clock_limit_pF))
      buffers.push_back(buffer(net, part));
    return buffers;
  }

  Branch buffer(Net net, const Part& part) {
    const Vertex vertex = layout_.add_buffer(library_, rules_.clock_buffer);
    places_.push_back(part.middle);
    wiring_.wires.push_back({net, {vertex, buffer_out_}, pins_of(part.branches)});
    return branch({vertex, buffer_in_});
  }

  const ClockPins pins_;
  const Library& library_;
  const WireRules& rules_;
  Layout& layout_;
  Places& places_;
  Wiring& wiring_;
  std::int32_t buffer_in_, buffer_out_;
  std::vector<std::optional<std::size_t>> levels_;  ///< by net: of those that have their trees
};

}  // namespace

void move_clock_gates(const std::vector<Net>& clock_nets, const Netlist& netlist,
                      const Library& library, const Layout& layout, Places& places) {
  GateMover mover(clock_nets, netlist, library, layout, places);
  for (const Net net : clock_nets) mover.move(net);
}

std::size_t add_clock_tree(const std::vector<Net>& clock_nets, const Netlist& netlist,
                           const Library& library, const WireRules& rules, Layout& layout,
                           Places& places, Wiring& wiring) {
  wiring.clock_begin = wiring.wires.size();
  Grower grower(clock_nets, netlist, library, rules, layout, places, wiring);
  std::size_t levels = 0;
  for (const Net net : clock_nets) levels = std::max(levels, grower.grow(net));
  return levels;
}

}  // namespace td::gate
