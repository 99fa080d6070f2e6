// SPDX-License-Identifier: Apache-2.0
// What wires weigh by the paths that they are on, and what weights do.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
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

/// Of two wires from a register, and of eight, in ns, while nothing loads them.
constexpr double kTwo = 0.26, kEight = 0.62;

const td::gate::WireRules kRules{0.0002, 0.27, 4, 0.4, 4, 0.4};

/// Gates "G", registers "FF" and latches "L", each with an input and an output; the clock's gates
/// "CG".
struct Paths {
  Library library;
  Netlist netlist;

  Paths() {
    using td::gate::Expression;
    library.cells = {cell("G", 16), cell("FF", 96), cell("L", 96), cell("CG", 16), cell("BUF", 32)};
    td::gate::FlipFlop register_;
    register_.clocked_on.terms = {{Expression::Op::pin, 0}};
    library.cells[1].flip_flop = register_;
    register_.is_latch = true;
    library.cells[2].flip_flop = register_;
    netlist.blocks.push_back({"", "top", -1, {}});
  }

  /// Wires from register to register, the nets from `first` on.
  void chain(int wires, Net first) {
    gate(1, td::gate::no_net, first);
    for (int wire = 1; wire < wires; ++wire) gate(0, first + wire - 1, first + wire);
    gate(1, first + wires - 1, td::gate::no_net);
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
  const Net none = td::gate::no_net, clock = 20, gated = 21;
  // Eight wires from register to register; two, and three, one of which is behind a latch, to a
  // gate of the clock.
  paths.chain(8, 2);
  for (const auto& [kind, in, out] : std::vector<std::array<std::int32_t, 3>>{{1, none, 11},
                                                                              {2, 11, 12},
                                                                              {3, 12, clock},
                                                                              {1, none, 13},
                                                                              {0, 13, 14},
                                                                              {2, 14, 15},
                                                                              {3, 15, gated},
                                                                              {1, gated, none}}) {
    paths.gate(kind, in, out);
  }
  const CellShapes shapes{10, 0.8, {}, {}};
  std::vector uses(at(paths.netlist.nets), td::gate::NetUse::wired);
  uses[clock] = td::gate::NetUse::left_out;
  uses[gated] = td::gate::NetUse::drawn;
  const Layout layout(paths.netlist, paths.library, shapes, uses);
  REQUIRE(layout.nets() == 14);
  const td::gate::PathWeights weights(paths.netlist, paths.library, layout, kRules, {});
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
  for (Net slow = 2; slow < 10; ++slow) CHECK(found[slow] == doctest::Approx(most));
  for (const Net fast : {11, 12, 13, 14, 15, 21}) CHECK(found[fast] == doctest::Approx(1));

  // The path of three is slowest when the wire behind its latch is long: most of all weighs no
  // other.
  places[14] = {100000, 0};
  places[16] = {0, 200000};  // a register that the clock draws
  found = weigh();
  for (const Net slow : {13, 14, 15}) CHECK(found[slow] == doctest::Approx(most));
  for (const Net fast : {2, 9, 11, 12, 21}) CHECK(found[fast] == doctest::Approx(1));
}

TEST_CASE("placement: paths at ports have a share of the clock") {
  Paths paths;
  const Net none = td::gate::no_net;
  // Eight wires from register to register; two from a port, and two to one.
  paths.chain(8, 2);
  paths.gate(0, 11, 12);
  paths.gate(1, 12, none);
  paths.gate(1, none, 13);
  paths.gate(0, 13, 14);
  paths.netlist.ports = {{"a_i", PinDirection::input, {11}}, {"y_o", PinDirection::output, {14}}};
  const CellShapes shapes{10, 0.8, {}, {}};
  const Layout layout(paths.netlist, paths.library, shapes,
                      std::vector(at(paths.netlist.nets), td::gate::NetUse::wired));
  const auto weigh = [&](td::gate::PortShares ports) {
    std::map<Net, double> found;
    const td::gate::Weights all =
        td::gate::PathWeights(paths.netlist, paths.library, layout, kRules, ports)
            .of(Places(layout.vertices(), Point{0, 0}));
    for (std::size_t wire = 0; wire < all.size(); ++wire) found[layout.net(wire)] = all[wire];
    return found;
  };
  std::map<Net, double> found = weigh({});
  const double most = found[2];
  for (const Net fast : {11, 12, 13, 14}) CHECK(found[fast] == doctest::Approx(1));
  found = weigh({1 - kTwo / kEight, 0});
  for (const Net slow : {2, 9, 11, 12}) CHECK(found[slow] == doctest::Approx(most));
  for (const Net fast : {13, 14}) CHECK(found[fast] == doctest::Approx(1));
  found = weigh({0, 1 - kTwo / (2 * kEight)});  // the slowest path of all
  for (const Net slow : {13, 14}) CHECK(found[slow] == doctest::Approx(most));
  for (const Net fast : {2, 9, 11, 12}) CHECK(found[fast] < most - 1);
}

TEST_CASE("placement: what a wire loads makes it slow, wire and pins alike") {
  Paths paths;
  paths.chain(2, 2);
  const Net none = td::gate::no_net;
  paths.gate(1, none, 5);  // likewise, with another gate
  paths.gate(3, 5, 6);
  paths.gate(1, 6, none);
  paths.library.cells[3].pins[0].capacitance_pF = 0.1;
  const CellShapes shapes{10, 0.8, {}, {}};
  const Layout layout(paths.netlist, paths.library, shapes,
                      std::vector(at(paths.netlist.nets), td::gate::NetUse::wired));
  const td::gate::PathWeights weights(paths.netlist, paths.library, layout, kRules, {});
  // The first path's wire to its gate, so long.
  for (const auto& [um, slowest] :
       std::vector<std::pair<double, Net>>{{490, 5}, {510, 2}, {5000, 2}}) {
    Places places(layout.vertices(), Point{0, 0});
    places[0] = {-um, 0};
    const td::gate::Weights all = weights.of(places);
    const auto most =
        static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
    CHECK(layout.net(most) == slowest);
  }
}

TEST_CASE("placement: of two wires, the one that weighs more is the shorter one") {
  Paths chain;  // a port, a gate and a port
  chain.gate(0, 2, 3);
  chain.netlist.ports = {{"a_i", PinDirection::input, {2}}, {"y_o", PinDirection::output, {3}}};
  const CellShapes shapes{10, 0.8, {}, {}};
  const Layout layout(chain.netlist, chain.library, shapes,
                      std::vector(at(chain.netlist.nets), td::gate::NetUse::wired));
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
