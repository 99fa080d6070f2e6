// SPDX-License-Identifier: Apache-2.0
// Clock trees of registers drawn at random, behind clock gates and gates of these.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "sim/gate/placement/placer.hpp"
#include "verify/unit/gate/gate_cells.hpp"

namespace {

using td::gate::at;
using td::gate::Layout;
using td::gate::Library;
using td::gate::Net;
using td::gate::Netlist;
using td::gate::PinDirection;
using td::gate::PlacedPin;
using td::gate::Places;
using td::gate::Vertex;
using td::gate::Wire;
using td::gate::Wiring;

constexpr std::int32_t kRegister = 0, kGate = 1;
constexpr std::size_t kBuffer = 2;
constexpr Net kClock = 2;
constexpr double kLimit = 0.2;

/// Registers on the clock; behind a clock gate; and behind one that stands behind this.
struct Clocked {
  Library library;
  Netlist netlist;
  std::vector<Net> clock_nets{kClock, 3, 4};
  td::gate::WireRules rules{0.0002, 0.27, kBuffer, kLimit, kBuffer, kLimit};
  Places places;
  Wiring wiring;
  std::size_t levels = 0;

  Clocked(int on_clock, int gated, int gated_twice) {
    library.cells = {td::unit::flip_flop_cell("FF", {"D", "CK"}, {"CK", "D", "", ""}),
                     td::unit::logic_cell("AND", {"A", "B"}, {{"Y", "A B"}}),
                     td::unit::logic_cell("BUF", {"A"}, {{"Y", "A"}})};
    for (td::gate::Cell& cell : library.cells) {
      cell.area = 80;
      for (td::gate::Pin& pin : cell.pins) {
        pin.capacitance_pF = 0.01;
        pin.max_capacitance_pF = 1;
      }
    }
    netlist.nets = 5;
    netlist.blocks.push_back({"", "top", -1, {}});
    gate(kGate, {td::gate::net_one, kClock, 3});
    gate(kGate, {3, td::gate::net_one, 4});
    const std::vector<std::pair<Net, int>> groups{{kClock, on_clock}, {3, gated}, {4, gated_twice}};
    for (const auto& [net, count] : groups) {
      for (int i = 0; i < count; ++i) gate(kRegister, {td::gate::net_zero, net, -1, -1});
    }
    netlist.ports.push_back({"ck", PinDirection::input, {kClock}});
  }

  void gate(std::int32_t cell, const std::vector<Net>& nets) {
    netlist.gates.push_back({cell, 0, static_cast<std::int32_t>(netlist.pin_nets.size()), 0});
    netlist.pin_nets.insert(netlist.pin_nets.end(), nets.begin(), nets.end());
  }

  /// `gated`: what it does with the clock behind gates.
  Layout layout(td::gate::NetUse gated = td::gate::NetUse::left_out) const {
    std::vector uses(at(netlist.nets), gated);
    uses[at(kClock)] = td::gate::NetUse::left_out;
    return Layout(netlist, library, {10, 0.8, {}, {}}, uses);
  }

  void scatter(const Layout& layout) {
    std::mt19937 random(1);
    for (std::size_t vertex = 0; vertex < layout.vertices(); ++vertex)
      places.push_back({double(random() % 3000), double(random() % 3000)});
  }

  Layout grow() {
    Layout layout = this->layout();
    scatter(layout);
    levels = td::gate::add_clock_tree(clock_nets, netlist, library, rules, layout, places, wiring);
    return layout;
  }

  std::map<Vertex, const Wire*> by_driver() const {
    std::map<Vertex, const Wire*> found;
    for (const Wire& wire : wiring.wires) CHECK(found.emplace(wire.driver.vertex, &wire).second);
    return found;
  }
};

/// Registers by how many cells are in front of them, and which net they are on.
void follow(const std::map<Vertex, const Wire*>& wires, const Wire& wire, std::size_t cells,
            std::map<std::size_t, std::multiset<Vertex>>& registers) {
  for (const PlacedPin& sink : wire.sinks) {
    const auto next = wires.find(sink.vertex);
    if (next == wires.end()) {
      registers[cells].insert(sink.vertex);
    } else {
      follow(wires, *next->second, cells + 1, registers);
    }
  }
}

}  // namespace

TEST_CASE("clock tree: it reaches each register once, all behind as many cells") {
  for (const auto& [clock, gated, twice] : std::vector<std::array<int, 3>>{
           {1, 1, 1}, {0, 0, 1}, {3, 1, 1}, {700, 40, 5}, {1, 300, 2}, {200, 1, 400}}) {
    Clocked design(clock, gated, twice);
    const Layout layout = design.grow();
    const auto wires = design.by_driver();
    std::map<std::size_t, std::multiset<Vertex>> found;
    follow(wires, *wires.at(static_cast<Vertex>(layout.cells())), 0, found);
    std::multiset<Vertex> wanted;
    for (std::size_t gate = 2; gate < layout.cells(); ++gate)
      wanted.insert(static_cast<Vertex>(gate));
    REQUIRE(found.size() == 1);
    CHECK(found.begin()->first == design.levels);
    CHECK(found.begin()->second == wanted);
    CHECK(wires.size() == 3 + layout.buffers());
  }
}

TEST_CASE("clock tree: a buffer drives what it may, or two") {
  Clocked design(700, 40, 5);
  const Layout layout = design.grow();
  double branches = 0;
  for (const Wire& wire : design.wiring.wires) {
    branches += static_cast<double>(wire.sinks.size());
    const double load = tree_of(layout, wire, design.places).length() * 0.0002 +
                        0.01 * static_cast<double>(wire.sinks.size());
    CHECK((load <= kLimit || wire.sinks.size() <= 2));
  }
  // Halves of what is too much are at least half full.
  CHECK(branches / static_cast<double>(design.wiring.wires.size()) > 2);
}

TEST_CASE("clock tree: wires are of their nets, those of the clock behind all others") {
  Clocked design(20, 20, 20);
  design.wiring.wires.resize(4);
  design.grow();
  CHECK(design.wiring.clock_begin == 4);
  std::map<Net, std::size_t> pins;
  for (std::size_t wire = 4; wire < design.wiring.wires.size(); ++wire) {
    for (const PlacedPin& sink : design.wiring.wires[wire].sinks)
      pins[design.wiring.wires[wire].net] +=
          at(sink.vertex) < design.netlist.gates.size() ? 1U : 0U;
  }
  CHECK(pins == std::map<Net, std::size_t>{{kClock, 21}, {3, 21}, {4, 20}});
}

TEST_CASE("clock tree: clock gates stand amid what is behind them, gates too") {
  Clocked design(10, 20, 30);
  const Layout layout = design.layout();
  design.scatter(layout);
  td::gate::move_clock_gates(design.clock_nets, design.netlist, design.library, layout,
                             design.places);
  const auto middle = [&design](std::size_t axis, const std::vector<std::size_t>& vertices) {
    double low = 1e9, high = 0;
    for (const std::size_t vertex : vertices) {
      low = std::min(low, design.places[vertex][axis]);
      high = std::max(high, design.places[vertex][axis]);
    }
    return (low + high) / 2;
  };
  std::vector<std::size_t> behind(20), behind_both(30);
  std::iota(behind.begin(), behind.end(), 12);  // gates, registers of the clock, these
  std::iota(behind_both.begin(), behind_both.end(), 32);
  behind.push_back(1);
  for (const std::size_t axis : {td::gate::kX, td::gate::kY}) {
    CHECK(design.places[0][axis] == middle(axis, behind));
    CHECK(design.places[1][axis] == middle(axis, behind_both));
  }
}

TEST_CASE("clock tree: gates and buffers have each a place in a row") {
  const Clocked design(300, 40, 30);
  Layout layout = design.layout();
  td::gate::PlacerOptions options;
  options.shapes = {10, 0.8, {}, {}};
  options.rules = design.rules;
  options.utilisation = 0.8;
  const auto placed =
      td::gate::place(design.clock_nets, design.netlist, design.library, options, layout);
  CHECK(placed.clock.buffers == layout.buffers());
  std::multiset<Vertex> found, wanted;
  for (const auto& row : placed.rows) found.insert(row.begin(), row.end());
  for (std::size_t vertex = 0; vertex < placed.places.size(); ++vertex) {
    if (!layout.is_port(vertex)) wanted.insert(static_cast<Vertex>(vertex));
  }
  CHECK(found == wanted);
}

TEST_CASE("clock tree: the clock behind a gate draws its registers together, and has one tree") {
  const Clocked design(300, 40, 30);
  td::gate::PlacerOptions options;
  options.shapes = {10, 0.8, {}, {}};
  options.rules = design.rules;
  options.port_pitch = 1.6;
  options.utilisation = 0.8;
  const auto spread = [&](td::gate::NetUse gated) {
    Layout layout = design.layout(gated);
    const auto placed =
        td::gate::place(design.clock_nets, design.netlist, design.library, options, layout);
    std::set<Vertex> drivers;
    for (const Wire& wire : placed.wiring.wires) CHECK(drivers.insert(wire.driver.vertex).second);
    td::gate::Box box(placed.places[302]);  // behind two gates and the others' registers
    for (std::size_t gate = 303; gate < 342; ++gate) box.add(placed.places[gate]);
    return box.size(td::gate::kX) + box.size(td::gate::kY);
  };
  CHECK(spread(td::gate::NetUse::drawn) < 0.85 * spread(td::gate::NetUse::left_out));
}
