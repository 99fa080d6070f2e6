// SPDX-License-Identifier: Apache-2.0
// What wires weigh by the paths that they are on, and what weights do.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "sim/gate/placement/path_weights.hpp"
#include "sim/gate/placement/quadratic.hpp"

namespace {

using td::gate::at;
using td::gate::Cell;
using td::gate::CellShapes;
using td::gate::kX;
using td::gate::Layout;
using td::gate::Library;
using td::gate::Net;
using td::gate::Netlist;
using td::gate::PinDirection;
using td::gate::Places;
using td::gate::Point;
using td::gate::Vertex;

Cell cell(const std::string& name, double area) {
  Cell cell;
  cell.name = name;
  cell.area = area;
  cell.pins.resize(2);
  cell.pins[0].name = "A";
  cell.pins[1].name = "Y";
  cell.pins[1].direction = PinDirection::output;
  return cell;
}

/// Gates "G", registers "FF" and latches "L", each with an input and an output; the clock's gates
/// "CG".
struct Paths {
  Library library;
  Netlist netlist;

  Paths() {
    using td::gate::Expression;
    library.cells = {cell("G", 16), cell("FF", 96), cell("L", 96), cell("CG", 16)};
    td::gate::FlipFlop register_;
    register_.clocked_on.terms = {{Expression::Op::pin, 0}};
    library.cells[1].flip_flop = register_;
    register_.is_latch = true;
    library.cells[2].flip_flop = register_;
    netlist.blocks.push_back({"", "top", -1, {}});
  }

  void gate(std::int32_t kind, Net in, Net out) {
    netlist.gates.push_back({kind, 0, static_cast<std::int32_t>(netlist.pin_nets.size()), 0});
    netlist.pin_nets.insert(netlist.pin_nets.end(), {in, out});
    netlist.nets = std::max({netlist.nets, in + 1, out + 1});
  }
};

}  // namespace

TEST_CASE("placement: wires weigh more the slower the path is that they are on") {
  Paths paths;
  const Net none = td::gate::no_net, clock = 12;
  // Four wires from register to register; two, and three, one of which is behind a latch, to a gate
  // of the clock.
  for (const auto& [kind, in, out] : std::vector<std::array<std::int32_t, 3>>{{1, none, 2},
                                                                              {0, 2, 3},
                                                                              {0, 3, 4},
                                                                              {0, 4, 5},
                                                                              {1, 5, none},
                                                                              {1, none, 6},
                                                                              {2, 6, 7},
                                                                              {3, 7, clock},
                                                                              {1, none, 8},
                                                                              {0, 8, 9},
                                                                              {2, 9, 10},
                                                                              {3, 10, clock}}) {
    paths.gate(kind, in, out);
  }
  const CellShapes shapes{10, 0.8, {}, {}};
  std::vector<char> is_clock(at(paths.netlist.nets), 0);
  is_clock[clock] = 1;
  const Layout layout(paths.netlist, paths.library, shapes, is_clock);
  REQUIRE(layout.nets() == 9);
  const td::gate::PathWeights weights(paths.netlist, paths.library, layout, {});
  Places places(layout.vertices(), Point{0, 0});
  const auto weigh = [&] {
    std::map<Net, double> found;
    const td::gate::Weights all = weights.of(places);
    for (std::size_t wire = 0; wire < all.size(); ++wire) found[layout.net(wire)] = all[wire];
    return found;
  };
  std::map<Net, double> found = weigh();
  const double most = found[2];
  CHECK(most > 2);
  for (const Net slow : {3, 4, 5}) CHECK(found[slow] == doctest::Approx(most));
  for (const Net fast : {6, 7, 8, 9, 10}) CHECK(found[fast] == doctest::Approx(1));

  // The path of three is slowest when the wire behind its latch is long: most of all weighs no
  // other.
  places[11] = {100000, 0};
  found = weigh();
  for (const Net slow : {8, 9, 10}) CHECK(found[slow] == doctest::Approx(most));
  for (const Net fast : {2, 5, 6, 7}) CHECK(found[fast] == doctest::Approx(1));
}

TEST_CASE("placement: paths at ports have a share of the clock") {
  Paths paths;
  const Net none = td::gate::no_net;
  // Three wires from register to register; two from a port, and two to one.
  paths.gate(1, none, 2);
  paths.gate(0, 2, 3);
  paths.gate(0, 3, 4);
  paths.gate(1, 4, none);
  paths.gate(0, 5, 6);
  paths.gate(1, 6, none);
  paths.gate(1, none, 7);
  paths.gate(0, 7, 8);
  paths.netlist.ports = {{"a_i", PinDirection::input, {5}}, {"y_o", PinDirection::output, {8}}};
  const CellShapes shapes{10, 0.8, {}, {}};
  const Layout layout(paths.netlist, paths.library, shapes,
                      std::vector<char>(at(paths.netlist.nets), 0));
  const auto weigh = [&](td::gate::PortShares ports) {
    std::map<Net, double> found;
    const td::gate::Weights all = td::gate::PathWeights(paths.netlist, paths.library, layout, ports)
                                      .of(Places(layout.vertices(), Point{0, 0}));
    for (std::size_t wire = 0; wire < all.size(); ++wire) found[layout.net(wire)] = all[wire];
    return found;
  };
  std::map<Net, double> found = weigh({});
  const double most = found[2];
  for (const Net fast : {5, 6, 7, 8}) CHECK(found[fast] == doctest::Approx(1));
  found = weigh({1.0 / 3, 0});
  for (const Net slow : {2, 3, 4, 5, 6}) CHECK(found[slow] == doctest::Approx(most));
  for (const Net fast : {7, 8}) CHECK(found[fast] == doctest::Approx(1));
  found = weigh({0, 0.5});  // the slowest path of all
  for (const Net slow : {7, 8}) CHECK(found[slow] == doctest::Approx(most));
  for (const Net fast : {2, 3, 4, 5, 6}) CHECK(found[fast] < most - 1);
}

TEST_CASE("placement: of two wires, the one that weighs more is the shorter one") {
  Paths chain;  // a port, a gate and a port
  chain.gate(0, 2, 3);
  chain.netlist.ports = {{"a_i", PinDirection::input, {2}}, {"y_o", PinDirection::output, {3}}};
  const CellShapes shapes{10, 0.8, {}, {}};
  const Layout layout(chain.netlist, chain.library, shapes,
                      std::vector<char>(at(chain.netlist.nets), 0));
  REQUIRE(layout.cells() == 1);
  REQUIRE(layout.nets() == 2);
  Places places(layout.vertices(), Point{0, 0});
  places[0] = {50, 0};
  for (std::size_t net = 0; net < 2; ++net) {
    for (std::size_t pin = 0; pin < 2; ++pin) {
      const Vertex vertex = layout.pin(net, pin).vertex;
      if (layout.is_port(at(vertex))) places[at(vertex)] = {layout.net(net) == 2 ? 0.0 : 100.0, 0};
    }
  }
  // Springs of 4 / 50 and 1 / 50 to where the ports are.
  td::gate::Weights weights(2);
  for (std::size_t net = 0; net < 2; ++net) weights[net] = layout.net(net) == 2 ? 4 : 1;
  td::gate::draw_together(layout, weights, {}, kX, 100, places);
  CHECK(places[0][kX] == doctest::Approx(20));
}
