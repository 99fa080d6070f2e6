// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/placed_design.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

namespace td::gate {

PlacedNames::PlacedNames(const PlacedDesign& design)
    : design_(design),
      wire_at_pin_(design.netlist.pin_nets.size(), -1),
      into_buffer_(design.layout.buffers(), -1),
      behind_buffer_(design.layout.buffers(), -1),
      port_of_net_(at(design.netlist.nets), -1),
      port_of_wire_(design.wiring.wires.size(), -1) {
  for (const Port& port : design.netlist.ports) {
    for (std::size_t bit = 0; bit < port.bits.size(); ++bit) {
      const Net net = port.bits[bit];
      std::int32_t& first = port_of_net_[at(net)];
      if (first < 0 && net != net_zero && net != net_one)
        first = static_cast<std::int32_t>(ports_.size());
      ports_.push_back(port.bits.size() == 1 ? port.name : fmt::format("{}[{}]", port.name, bit));
      port_nets_.push_back(net);
    }
  }
  port_names_.insert(ports_.begin(), ports_.end());
  wire_at_port_.assign(ports_.size(), -1);
  const std::size_t gates = design.netlist.gates.size();
  const auto join = [&](const PlacedPin& pin, std::int32_t wire, bool drives) {
    const std::size_t vertex = at(pin.vertex);
    if (vertex < gates) {
      wire_at_pin_[at(design.netlist.gates[vertex].first + pin.pin)] = wire;
    } else if (vertex < gates + ports_.size()) {
      wire_at_port_[vertex - gates] = wire;
      if (port_of_wire_[at(wire)] < 0)
        port_of_wire_[at(wire)] = static_cast<std::int32_t>(vertex - gates);
    } else {
      (drives ? behind_buffer_ : into_buffer_)[vertex - design.layout.vertices()] = wire;
    }
  };
  for (std::size_t number = 0; number < design.wiring.wires.size(); ++number) {
    const auto wire = static_cast<std::int32_t>(number);
    join(design.wiring.wires[number].driver, wire, true);
    for (const PlacedPin& sink : design.wiring.wires[number].sinks) join(sink, wire, false);
  }
}

std::string PlacedNames::net(Net net) const {
  if (net == no_net) return "";
  if (net == net_zero || net == net_one) return net == net_one ? "1" : "0";
  if (port_of_net_[at(net)] >= 0) return ports_[at(port_of_net_[at(net)])];
  std::string path = design_.netlist.net_path(net);
  return path.empty() ? fmt::format("net_{}", net) : path;
}

std::string PlacedNames::wire(std::size_t number) const {
  const Wire& wire = design_.wiring.wires[number];
  if (port_of_wire_[number] >= 0) return ports_[at(port_of_wire_[number])];
  if (at(wire.driver.vertex) >= design_.layout.vertices()) return vertex(wire.driver.vertex) + "_y";
  // The port that a net is named after may stand behind a buffer of it.
  std::string path = design_.netlist.net_path(wire.net);
  return path.empty() || is_port_name(path) ? fmt::format("net_{}", wire.net) : path;
}

std::string PlacedNames::at_pin(std::size_t index) const {
  const std::int32_t wire = wire_at_pin_[index];
  return wire >= 0 ? this->wire(at(wire)) : net(design_.netlist.pin_nets[index]);
}

std::string PlacedNames::at_port(std::size_t bit) const {
  return wire_at_port_[bit] >= 0 ? wire(at(wire_at_port_[bit])) : net(port_nets_[bit]);
}

std::string PlacedNames::vertex(Vertex vertex) const {
  const Layout& layout = design_.layout;
  const std::size_t number = at(vertex);
  if (number < layout.cells()) return design_.netlist.gate_path(design_.netlist.gates[number]);
  if (layout.is_port(number)) return ports_[number - layout.cells()];
  const std::size_t buffer = number - layout.vertices(), repeaters = design_.wiring.repeaters;
  return buffer < repeaters ? fmt::format("repeater_{}", buffer)
                            : fmt::format("clock_buffer_{}", buffer - repeaters);
}

const Cell& PlacedNames::cell(Vertex vertex) const {
  return design_.library.cells[design_.layout.cell(at(vertex))];
}

namespace {

/// Writes a text piece by piece.
class Writer {
 public:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  std::string take() { return fmt::to_string(text_); }

 private:
  fmt::memory_buffer text_;
};

/// As an expression of Verilog: bits of ports are plain, all else may have any characters.
std::string verilog_name(const std::string& name, bool of_port) {
  if (name == "0" || name == "1") return "1'b" + name;
  return of_port ? name : fmt::format("\\{} ", name);
}

}  // namespace

std::string flat_verilog(const PlacedDesign& design, const PlacedNames& names) {
  const Netlist& netlist = design.netlist;
  const auto expression = [&](const std::string& name) {
    return verilog_name(name, names.is_port_name(name));
  };
  Writer text;
  text.add("module {} (", netlist.top);
  for (std::size_t i = 0; i < netlist.ports.size(); ++i) {
    text.add("{}{}", i == 0 ? "" : ", ", netlist.ports[i].name);
  }
  text.add(");\n");
  std::size_t bit = 0;
  for (const Port& port : netlist.ports) {
    const bool input = port.direction == PinDirection::input;
    text.add("  {} ", input ? "input" : "output");
    if (port.bits.size() > 1) text.add("[{}:0] ", port.bits.size() - 1);
    text.add("{};\n", port.name);
    for (std::size_t i = 0; i < port.bits.size(); ++i, ++bit) {
      const std::string joined = names.at_port(bit);
      if (!input && joined != names.port(bit))
        text.add("  assign {} = {};\n", names.port(bit), expression(joined));
    }
  }
  for (std::size_t number = 0; number < netlist.gates.size(); ++number) {
    const Gate& gate = netlist.gates[number];
    const Cell& cell = design.library.cells[at(gate.cell)];
    text.add("  {} \\{}  (", cell.name, names.vertex(static_cast<Vertex>(number)));
    const char* comma = "";
    for (std::size_t pin = 0; pin < cell.pins.size(); ++pin) {
      const std::size_t index = at(gate.first) + pin;
      if (netlist.pin_nets[index] == no_net) continue;
      text.add("{}.{}({})", comma, cell.pins[pin].name, expression(names.at_pin(index)));
      comma = ", ";
    }
    text.add(");\n");
  }
  for (std::size_t i = 0; i < design.layout.buffers(); ++i) {
    const auto vertex = static_cast<Vertex>(design.layout.vertices() + i);
    text.add("  {} {} (", names.cell(vertex).name, names.vertex(vertex));
    const char* comma = "";
    for (const Pin& pin : names.cell(vertex).pins) {
      const bool reads = pin.direction == PinDirection::input;
      const std::int32_t wire = reads ? names.into_buffer(i) : names.behind_buffer(i);
      text.add("{}.{}({})", comma, pin.name, expression(names.wire(at(wire))));
      comma = ", ";
    }
    text.add(");\n");
  }
  text.add("endmodule\n");
  return text.take();
}

namespace {

/// Places, then nets.
class DefWriter {
 public:
  DefWriter(const PlacedDesign& design, const PlacedNames& names, const Core& core)
      : design_(design), names_(names), core_(core), gates_(design.netlist.gates.size()) {}

  std::string write() {
    text_.add(
        "VERSION 5.6 ;\nDIVIDERCHAR \"/\" ;\nBUSBITCHARS \"[]\" ;\nDESIGN {} ;\n"
        "UNITS DISTANCE MICRONS {} ;\nDIEAREA ( {} {} ) ( {} {} ) ;\n",
        design_.netlist.top, kUnits, -units(kMargin), -units(kMargin), units(core_.width + kMargin),
        units(core_.height + kMargin));
    add_components();
    add_pins();
    add_nets();
    text_.add("END DESIGN\n");
    return text_.take();
  }

 private:
  static constexpr int kUnits = 100;    // in a µm
  static constexpr double kMargin = 4;  // µm around the core, in which ports stand
  static constexpr double kHalfPin = 0.15;

  static long units(double um) { return std::lround(um * kUnits); }

  void add_components() {
    const double row = design_.layout.row_height();
    text_.add("COMPONENTS {} ;\n", gates_ + design_.layout.buffers());
    for (std::size_t vertex = 0; vertex < design_.places.size(); ++vertex) {
      if (design_.layout.is_port(vertex)) continue;
      const Cell& cell = names_.cell(static_cast<Vertex>(vertex));
      const Point& middle = design_.places[vertex];
      const double low = middle[kY] - row / 2;
      const bool flipped = std::lround(low / row) % 2 != 0;
      text_.add("- {} {} + PLACED ( {} {} ) {} ;\n", names_.vertex(static_cast<Vertex>(vertex)),
                cell.name, units(middle[kX] - design_.layout.width(vertex) / 2), units(low),
                flipped ? "FS" : "N");
    }
    text_.add("END COMPONENTS\n");
  }

  void add_pins() {
    const double site = design_.layout.site_width();
    text_.add("PINS {} ;\n", names_.ports());
    std::size_t bit = 0;
    for (const Port& port : design_.netlist.ports) {
      for (std::size_t i = 0; i < port.bits.size(); ++i, ++bit) {
        // On the left and right wires come along x, at whole places of a track.
        const Point& place = design_.places[gates_ + bit];
        const bool beside = place[kX] <= 0 || place[kX] >= core_.width;
        const long half = units(kHalfPin);
        text_.add(
            "- {} + NET {} + DIRECTION {} + LAYER {} ( {} {} ) ( {} {} ) + PLACED ( {} {} ) N ;\n",
            names_.port(bit), names_.at_port(bit),
            port.direction == PinDirection::input ? "INPUT" : "OUTPUT",
            beside ? "metal3" : "metal2", -half, -half, half, half,
            units(std::round(place[kX] / site) * site), units(std::round(place[kY])));
      }
    }
    text_.add("END PINS\n");
  }

  void add_nets() {
    text_.add("NETS {} ;\n", design_.wiring.wires.size());
    for (std::size_t number = 0; number < design_.wiring.wires.size(); ++number) {
      const Wire& wire = design_.wiring.wires[number];
      text_.add("- {}", names_.wire(number));
      add_pin(wire.driver);
      for (const PlacedPin& sink : wire.sinks) add_pin(sink);
      text_.add(" ;\n");
    }
    text_.add("END NETS\n");
  }

  void add_pin(const PlacedPin& pin) {
    const std::string name = names_.vertex(pin.vertex);
    if (design_.layout.is_port(at(pin.vertex))) {
      text_.add("\n  ( PIN {} )", name);
    } else {
      text_.add("\n  ( {} {} )", name, names_.cell(pin.vertex).pins[at(pin.pin)].name);
    }
  }

  const PlacedDesign& design_;
  const PlacedNames& names_;
  const Core& core_;
  std::size_t gates_;
  Writer text_;
};

}  // namespace

std::string def(const PlacedDesign& design, const PlacedNames& names, const Core& core) {
  return DefWriter(design, names, core).write();
}

namespace {

/// Characters that mean something in SPEF are escaped.
std::string spef_name(const std::string& name) {
  std::string escaped;
  for (const char letter : name) {
    if (std::string_view("/[].:$").find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

/// One after the other: nets with their pins, capacitances and resistances.
class SpefWriter {
 public:
  SpefWriter(const PlacedDesign& design, const PlacedNames& names)
      : design_(design), names_(names) {}

  std::string write() {
    text_.add(
        "*SPEF \"IEEE 1481-1998\"\n*DESIGN \"{}\"\n*DATE \"\"\n*VENDOR \"\"\n"
        "*PROGRAM \"tdplace\"\n*VERSION \"\"\n*DESIGN_FLOW \"\"\n*DIVIDER /\n*DELIMITER :\n"
        "*BUS_DELIMITER [ ]\n*T_UNIT 1 NS\n*C_UNIT 1 PF\n*R_UNIT 1 OHM\n*L_UNIT 1 HENRY\n",
        design_.netlist.top);
    map_names();
    for (std::size_t wire = 0; wire < design_.wiring.wires.size(); ++wire) add(wire);
    return text_.take();
  }

 private:
  /// Names stand once, and are numbers elsewhere: gates and buffers as vertices, wires behind
  /// them.
  void map_names() {
    text_.add("\n*NAME_MAP\n");
    const std::size_t vertices = design_.places.size();
    for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
      if (design_.layout.is_port(vertex)) continue;
      text_.add("*{} {}\n", vertex, spef_name(names_.vertex(static_cast<Vertex>(vertex))));
    }
    first_wire_ = vertices;
    for (std::size_t wire = 0; wire < design_.wiring.wires.size(); ++wire) {
      const std::string name = names_.wire(wire);
      if (!names_.is_port_name(name)) text_.add("*{} {}\n", vertices + wire, spef_name(name));
    }
  }

  std::string pin_name(const PlacedPin& pin) const {
    if (design_.layout.is_port(at(pin.vertex))) return names_.vertex(pin.vertex);
    return fmt::format("*{}:{}", pin.vertex, names_.cell(pin.vertex).pins[at(pin.pin)].name);
  }

  void add(std::size_t number) {
    const Wire& wire = design_.wiring.wires[number];
    const WireTree tree = tree_of(design_.layout, wire, design_.places);
    const std::string name = names_.wire(number);
    const std::string net =
        names_.is_port_name(name) ? name : fmt::format("*{}", first_wire_ + number);
    std::vector<std::string> nodes{pin_name(wire.driver)};
    for (const PlacedPin& sink : wire.sinks) nodes.push_back(pin_name(sink));
    text_.add("\n*D_NET {} {:.6g}\n*CONN\n", net, tree.length() * design_.rules.pF_per_um);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vertex vertex = i == 0 ? wire.driver.vertex : wire.sinks[i - 1].vertex;
      const bool port = design_.layout.is_port(at(vertex));
      // A port that drives the net is an input of the design.
      const bool output = (i == 0) != port;
      text_.add("*{} {} {}\n", port ? 'P' : 'I', nodes[i], output ? 'O' : 'I');
    }
    for (std::size_t node = nodes.size(); node < tree.nodes.size(); ++node) {
      nodes.push_back(fmt::format("{}:{}", net, node));
    }
    std::vector<double> half(nodes.size(), 0);
    for (std::size_t node = 1; node < nodes.size(); ++node) {
      const double some = tree.edge(node) * design_.rules.pF_per_um / 2;
      half[node] += some;
      half[at(tree.parent[node])] += some;
    }
    text_.add("*CAP\n");
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      text_.add("{} {} {:.4g}\n", node + 1, nodes[node], half[node]);
    }
    text_.add("*RES\n");
    for (std::size_t node = 1; node < nodes.size(); ++node) {
      const double ohm = tree.edge(node) * design_.rules.ohm_per_um;
      text_.add("{} {} {} {:.4g}\n", node, nodes[at(tree.parent[node])], nodes[node],
                ohm < kLeastOhm ? kLeastOhm : ohm);
    }
    text_.add("*END\n");
  }

  static constexpr double kLeastOhm = 0.01;  // pins in one place are joined, too

  const PlacedDesign& design_;
  const PlacedNames& names_;
  std::size_t first_wire_ = 0;  ///< in the map
  Writer text_;
};

}  // namespace

std::string spef(const PlacedDesign& design, const PlacedNames& names) {
  return SpefWriter(design, names).write();
}

std::string loads(const PlacedDesign& design) {
  struct Load {
    double driver_pF = 0, behind_pF = 0;
    int buffers = 0, wires = 0;
  };
  std::vector<Load> nets(at(design.netlist.nets));
  for (const Wire& wire : design.wiring.wires) {
    double load = tree_of(design.layout, wire, design.places).length() * design.rules.pF_per_um;
    for (const PlacedPin& sink : wire.sinks) load += pin_pF(design.layout, design.library, sink);
    const bool buffered = at(wire.driver.vertex) >= design.layout.vertices();
    Load& net = nets[at(wire.net)];
    ++net.wires;
    net.buffers += buffered ? 1 : 0;
    (buffered ? net.behind_pF : net.driver_pF) += load;
  }
  Writer text;
  text.add("tensordash-loads-3 {} {}\n", design.library.cells[design.rules.repeater].name,
           design.library.cells[design.rules.clock_buffer].name);
  for (std::size_t net = 0; net < nets.size(); ++net) {
    const Load& load = nets[net];
    if (load.wires == 0) continue;
    text.add("{} {:.4g} {:.4g} {}\n", net, load.driver_pF, load.behind_pF, load.buffers);
  }
  return text.take();
}

}  // namespace td::gate
