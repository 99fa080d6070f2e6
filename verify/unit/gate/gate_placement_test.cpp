// SPDX-License-Identifier: Apache-2.0
// Places, wires and repeaters of netlists drawn at random.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/gate/placement/placed_design.hpp"
#include "sim/gate/placement/placer.hpp"
#include "sim/gate/placement/quadratic.hpp"
#include "verify/unit/base/folder.hpp"
#include "verify/unit/base/refusal.hpp"

namespace {

using td::gate::at;
using td::gate::Cell;
using td::gate::CellShapes;
using td::gate::Core;
using td::gate::kX;
using td::gate::kY;
using td::gate::Layout;
using td::gate::Library;
using td::gate::Net;
using td::gate::Netlist;
using td::gate::Pin;
using td::gate::PinDirection;
using td::gate::Placed;
using td::gate::PlacedPin;
using td::gate::PlacerOptions;
using td::gate::Places;
using td::gate::Point;
using td::gate::Vertex;
using td::gate::Wire;

Cell cell(const std::string& name, std::size_t inputs, double area, double drives) {
  Cell cell;
  cell.name = name;
  cell.area = area;
  for (std::size_t i = 0; i < inputs; ++i) {
    Pin pin;
    pin.name = std::string(1, static_cast<char>('A' + i));
    pin.capacitance_pF = 0.01;
    cell.pins.push_back(pin);
  }
  Pin out;
  out.name = "Y";
  out.direction = PinDirection::output;
  out.max_capacitance_pF = drives;
  cell.pins.push_back(out);
  return cell;
}

/// Gates of two and three inputs, each input at some gate's output or an input port; ports of some
/// bits. Most inputs are at outputs of gates with near numbers, as those of real netlists are.
struct Design {
  Library library;
  Netlist netlist;
  PlacerOptions options;

  /// `behind`: more gates at the output of the first, with two inputs there.
  explicit Design(std::size_t gates, unsigned seed = 1, std::size_t behind = 0) {
    library.path = "drawn";
    library.cells = {cell("GATE2", 2, 24, 0.5), cell("GATE3", 3, 32, 1), cell("BUF", 1, 32, 2)};
    options.shapes = {10, 0.8, {}, {}};
    options.port_pitch = 1.6;
    options.rules = {0.0002, 0.27, 2, 0.2, 2, 0.2};
    std::mt19937 random(seed);
    netlist.top = "top";
    netlist.blocks.push_back({"", "top", -1, {}});
    const auto net = [this] {
      netlist.net_names.resize(at(netlist.nets + 1));
      return netlist.nets++;
    };
    std::vector<Net> inputs, outputs;
    for (int i = 0; i < 8; ++i) inputs.push_back(net());
    for (std::size_t gate = 0; gate < gates; ++gate) outputs.push_back(net());
    for (std::size_t gate = 0; gate < gates; ++gate) {
      const auto kind = static_cast<std::int32_t>(random() % 2);
      netlist.gates.push_back({kind, 0, static_cast<std::int32_t>(netlist.pin_nets.size()),
                               static_cast<std::int32_t>(netlist.names.size())});
      netlist.names.push_back("g" + std::to_string(gate));
      for (int pin = 0; pin < 2 + kind; ++pin) {
        const std::size_t near = (gate + gates - 10 + random() % 20) % gates;
        const std::size_t from = random() % 20 == 0 ? random() % gates : near;
        netlist.pin_nets.push_back(random() % 50 == 0 ? inputs[random() % 8] : outputs[from]);
      }
      netlist.pin_nets.push_back(outputs[gate]);
    }
    for (std::size_t gate = 0; gate < behind; ++gate) {
      netlist.gates.push_back({0, 0, static_cast<std::int32_t>(netlist.pin_nets.size()), 0});
      netlist.pin_nets.insert(netlist.pin_nets.end(), {outputs[0], outputs[0], td::gate::no_net});
    }
    netlist.ports.push_back({"in", PinDirection::input, inputs});
    netlist.ports.push_back(
        {"out", PinDirection::output, {outputs[0], outputs[1 % gates], outputs[0]}});
  }

  Layout layout() const {
    return Layout(netlist, library, options.shapes,
                  std::vector(at(netlist.nets), td::gate::NetUse::wired));
  }
  Placed place(Layout& layout) const {
    return td::gate::place({}, netlist, library, options, layout);
  }
  Places place_globally(const Layout& layout) const {
    return td::gate::place_globally(
        layout, td::gate::core_of(layout, options.utilisation), options.port_pitch,
        td::gate::PathWeights(netlist, library, layout, options.rules, {}), options.seed);
  }
};

/// Rows of cells none of which is over another, outside of the core, or beside its sites.
void check_legal(const Layout& layout, const Placed& placed) {
  std::set<Vertex> seen;
  for (std::size_t row = 0; row < placed.rows.size(); ++row) {
    double end = 0;
    for (const Vertex vertex : placed.rows[row]) {
      const Point& place = placed.places[at(vertex)];
      const double begin = place[kX] - layout.width(at(vertex)) / 2;
      CHECK(begin >= end - 1e-6);
      CHECK(std::abs(begin / 0.8 - std::round(begin / 0.8)) < 1e-6);
      CHECK(place[kY] == doctest::Approx((static_cast<double>(row) + 0.5) * 10));
      end = begin + layout.width(at(vertex));
      CHECK(seen.insert(vertex).second);
    }
    CHECK(end <= placed.core.width + 1e-6);
  }
  CHECK(seen.size() == layout.cells() + layout.buffers());
}

double pin_load(const Design& design, const Layout& layout, const PlacedPin& pin) {
  if (at(pin.vertex) < layout.cells()) return 0.01;
  return at(pin.vertex) < layout.vertices() ? 0 : design.library.cells[2].pins[0].capacitance_pF;
}

/// Pins of a net behind a wire, through its repeaters.
void collect(const std::map<Vertex, const Wire*>& behind, const Layout& layout, const Wire& wire,
             std::multiset<std::pair<Vertex, int>>& pins) {
  for (const PlacedPin& sink : wire.sinks) {
    if (at(sink.vertex) < layout.vertices()) {
      pins.insert({sink.vertex, sink.pin});
    } else {
      collect(behind, layout, *behind.at(sink.vertex), pins);
    }
  }
}

/// Behind a wire, at most.
std::size_t repeaters_in_a_row(const std::map<Vertex, const Wire*>& behind, const Layout& layout,
                               const Wire& wire) {
  std::size_t most = 0;
  for (const PlacedPin& sink : wire.sinks) {
    if (at(sink.vertex) >= layout.vertices())
      most = std::max(most, 1 + repeaters_in_a_row(behind, layout, *behind.at(sink.vertex)));
  }
  return most;
}

}  // namespace

TEST_CASE("placement: cells stand in rows, none over another, and near what they are joined to") {
  for (const std::size_t gates : std::vector<std::size_t>{1, 2, 5, 50, 3000}) {
    Design design(gates);
    if (gates < 1000) design.options.utilisation = 0.2;  // a buffer is as large as a gate
    Layout layout = design.layout();
    const Placed placed = design.place(layout);
    check_legal(layout, placed);
    if (gates < 1000) continue;
    Places shuffled = placed.places;
    std::shuffle(shuffled.begin(), shuffled.begin() + static_cast<std::ptrdiff_t>(layout.cells()),
                 std::mt19937(3));
    CHECK(boxes(layout, placed.places) < 0.3 * boxes(layout, shuffled));
  }
}

TEST_CASE("placement: a seed gives one placement, another seed another") {
  Design design(800);
  const auto places = [&design] {
    Layout layout = design.layout();
    return design.place(layout).places;
  };
  const Places first = places();
  CHECK(places() == first);
  design.options.seed = 2;
  CHECK(places() != first);
}

TEST_CASE("placement: exchanges shorten wires, and rows stay legal") {
  const Design design(2000);
  const Layout layout = design.layout();
  Placed placed;
  placed.core = td::gate::core_of(layout, 0.9);
  placed.places = design.place_globally(layout);
  placed.rows = td::gate::put_into_rows(layout, placed.core, placed.places);
  const double before = boxes(layout, placed.places);
  td::gate::exchange(layout, placed.core, {}, placed.rows, placed.places);
  CHECK(boxes(layout, placed.places) < 0.97 * before);
  td::gate::move_to_sites(layout, placed.core, placed.rows, placed.places);
  check_legal(layout, placed);
}

TEST_CASE("placement: a spread region has cells everywhere alike") {
  const Design design(4000);
  const Layout layout = design.layout();
  const Core core = td::gate::core_of(layout, 0.9);
  Places places(layout.vertices(), Point{1, 1});
  td::gate::spread(layout, core, places);
  std::vector<double> filled(16, 0);
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
    const auto bin = [](double way, double size) {
      return std::min<std::size_t>(3, static_cast<std::size_t>(4 * way / size));
    };
    filled[bin(places[cell][kX], core.width) + 4 * bin(places[cell][kY], core.height)] +=
        layout.width(cell) * 10;
  }
  for (const double some : filled) CHECK(some == doctest::Approx(layout.area() / 16).epsilon(0.1));
}

TEST_CASE("placement: repeaters leave no wire that drives too much, and no pin without its net") {
  Design design(1500);
  design.options.rules.limit_pF = 0.06;
  design.options.utilisation = 0.4;
  Layout layout = design.layout();
  const Placed placed = design.place(layout);
  REQUIRE(placed.wiring.repeaters > 100);
  std::map<Vertex, const Wire*> behind;
  std::map<Net, const Wire*> driven;
  for (const Wire& wire : placed.wiring.wires) {
    if (at(wire.driver.vertex) >= layout.vertices()) {
      CHECK(behind.emplace(wire.driver.vertex, &wire).second);
    } else {
      CHECK(driven.emplace(wire.net, &wire).second);
    }
  }
  CHECK(behind.size() == placed.wiring.repeaters);
  CHECK(driven.size() == layout.nets());
  for (std::size_t place = 0; place < layout.nets(); ++place) {
    std::multiset<std::pair<Vertex, int>> wanted, found;
    for (std::size_t pin = 1; pin < layout.pins(place); ++pin) {
      wanted.insert({layout.pin(place, pin).vertex, layout.pin(place, pin).pin});
    }
    collect(behind, layout, *driven.at(layout.net(place)), found);
    CHECK(found == wanted);
  }
}

TEST_CASE("placement: what a repeater drives is within its limit where it is put in") {
  Design design(1500);
  Layout layout = design.layout();
  design.options.rules.limit_pF = 0.06;
  Places places = design.place_globally(layout);
  const auto wiring =
      td::gate::with_repeaters(design.library, design.options.rules, layout, places);
  int weak = 0;  // drivers
  for (const Wire& wire : wiring.wires) {
    double load = td::gate::tree_of(layout, wire, places).length() * 0.0002;
    for (const PlacedPin& sink : wire.sinks) load += pin_load(design, layout, sink);
    // A weak gate may drive less: 0.5 pF of a repeater's 2. Trees are laid anew behind a cut.
    const double limit = td::gate::limit_pF(layout, design.library, wire.driver,
                                            design.options.rules.repeater, 0.06);
    weak += limit < 0.06;
    CHECK((load <= limit * 1.1 + 0.0002 || wire.sinks.size() == 1));
  }
  CHECK(weak > 10);
}

TEST_CASE("placement: many sinks are behind repeaters amid them, none behind many in a row") {
  const Design design(1, 1, 400);
  Layout layout = design.layout();
  Places places(layout.vertices());
  std::mt19937 random(1);
  for (Point& place : places) place = {double(random() % 400), double(random() % 400)};
  const auto wiring =
      td::gate::with_repeaters(design.library, design.options.rules, layout, places);
  std::map<Vertex, const Wire*> by_driver;
  for (const Wire& wire : wiring.wires) by_driver[wire.driver.vertex] = &wire;
  std::multiset<std::pair<Vertex, int>> wanted, found;
  for (std::size_t pin = 1; pin < layout.pins(0); ++pin)
    wanted.insert({layout.pin(0, pin).vertex, layout.pin(0, pin).pin});
  REQUIRE(wanted.size() > 800);
  collect(by_driver, layout, *by_driver.at(0), found);
  CHECK(found == wanted);
  CHECK(repeaters_in_a_row(by_driver, layout, *by_driver.at(0)) <= 4);
  for (const auto& [driver, wire] : by_driver) {
    double load = td::gate::tree_of(layout, *wire, places).length() * 0.0002;
    for (const PlacedPin& sink : wire->sinks) load += pin_load(design, layout, sink);
    CHECK((load <= 0.2 * 1.1 || wire->sinks.size() == 1));
  }
}

TEST_CASE("placement: sinks that a driver can drive get no repeater, however many") {
  const Design design(1, 1, 11);
  Layout layout = design.layout();
  REQUIRE(layout.pins(0) > 22);
  Places places(layout.vertices(), Point{50, 50});
  td::gate::WireRules rules = design.options.rules;
  rules.limit_pF = 2;  // of a gate's 0.5 pF beside a buffer's 2, a quarter
  CHECK(td::gate::with_repeaters(design.library, rules, layout, places).repeaters == 0);
}

TEST_CASE("placement: a layout with its buffers has them as cells, and wires as nets") {
  Design design(400);
  design.options.rules.limit_pF = 0.06;
  design.options.utilisation = 0.4;
  Layout layout = design.layout();
  const Placed placed = design.place(layout);
  REQUIRE(placed.wiring.repeaters > 20);
  const Layout all = layout.with(placed.wiring.wires);
  CHECK(all.cells() == layout.cells() + layout.buffers());
  CHECK(all.ports() == layout.ports());
  CHECK(all.buffers() == 0);
  std::set<Vertex> numbers;
  for (std::size_t vertex = 0; vertex < placed.places.size(); ++vertex) {
    const Vertex there = layout.beside_buffers(static_cast<Vertex>(vertex));
    CHECK(numbers.insert(there).second);
    REQUIRE(all.is_port(at(there)) == layout.is_port(vertex));
    if (!layout.is_port(vertex)) CHECK(all.cell(at(there)) == layout.cell(vertex));
  }
  REQUIRE(all.nets() == placed.wiring.wires.size());
  for (std::size_t number = 0; number < all.nets(); ++number) {
    const Wire& wire = placed.wiring.wires[at(all.net(number))];
    REQUIRE(all.pins(number) == 1 + wire.sinks.size());
    CHECK(all.pin(number, 0).vertex == layout.beside_buffers(wire.driver.vertex));
    std::multiset<std::pair<Vertex, int>> wanted, found;
    for (const PlacedPin& sink : wire.sinks)
      wanted.insert({layout.beside_buffers(sink.vertex), sink.pin});
    for (std::size_t pin = 1; pin < all.pins(number); ++pin)
      found.insert({all.pin(number, pin).vertex, all.pin(number, pin).pin});
    CHECK(found == wanted);
  }
}

TEST_CASE("placement: rows that are too long are shortened, while others have room") {
  const Design design(60);
  const Layout layout = design.layout();
  const Core core{20, 40, 400};
  td::gate::Rows rows(core.rows);
  Places places(layout.vertices(), Point{50, 25});
  for (std::size_t cell = 0; cell < layout.cells(); ++cell)
    rows[2].push_back(static_cast<Vertex>(cell));
  CHECK(td::gate::shorten(layout, core, rows, places) == 0);
  std::set<Vertex> seen;
  for (std::size_t row = 0; row < core.rows; ++row) {
    double width = 0;
    for (const Vertex cell : rows[row]) {
      width += layout.width(at(cell));
      CHECK(seen.insert(cell).second);
      CHECK(places[at(cell)][kY] == 10 * static_cast<double>(row) + 5);
    }
    CHECK(width <= core.width + 1e-6);
    CHECK((width == 0) == (row > 8));  // the nearest
  }
  CHECK(seen.size() == 60);
  // Without room anywhere the others are counted.
  td::gate::Rows one(1);
  for (std::size_t cell = 0; cell < layout.cells(); ++cell)
    one[0].push_back(static_cast<Vertex>(cell));
  const std::size_t without = td::gate::shorten(layout, {100, 1, 10}, one, places);
  CHECK(without > 0);
  CHECK(without + one[0].size() == 60);
}

TEST_CASE("placement: pins are where a LEF file says, flipped in every other row") {
  const td::unit::Folder folder;
  const std::string path = folder.file("cells.lef");
  const auto write = [&path](const std::string& text) { std::ofstream(path) << text; };
  const std::string pin =
      " DIRECTION INPUT ; PORT LAYER m1 ; RECT 1 2 3 4 ; RECT 7 7 7 7 ; END END ";
  const std::string good =
      "SITE core SIZE 0.8 BY 10 ; END core\nMACRO GATE2 SIZE 3.2 BY 10 ;\n"
      "PIN A" +
      pin + "A PIN B" + pin + "B PIN Y" + pin + "Y PIN vdd" + pin +
      "vdd OBS LAYER m1 ; RECT 0 0 1 1 ; END\nEND GATE2\nEND LIBRARY\n";
  Design design(20);
  Library one = design.library;
  one.cells.resize(1);
  write(good);
  CellShapes shapes{10, 0.8, {}, {}};
  CHECK(shapes.width(one, 0) == doctest::Approx(2.4));  // by its area
  td::gate::add_lef(one, path, shapes);
  CHECK(shapes.width(one, 0) == doctest::Approx(3.2));
  REQUIRE(shapes.pins.size() == 1);
  CHECK(shapes.pins[0][2][kX] == doctest::Approx(0.4));
  CHECK(shapes.pins[0][2][kY] == doctest::Approx(-2));

  design.options.shapes.pins.assign(3, std::vector<Point>(4, Point{0.5, -2}));
  const Layout layout = design.layout();
  const Places places(layout.vertices(), Point{7, 25});
  CHECK(layout.where({0, 0}, places) == Point{7.5, 23});
  CHECK(layout.where({0, 0}, Places(layout.vertices(), Point{7, 35})) == Point{7.5, 37});
  CHECK(layout.where({20, 0}, places) == Point{7, 25});  // a port

  const auto refusal = [&](const std::string& text) {
    write(text);
    return td::unit::message_of([&] {
      CellShapes fresh{10, 0.8, {}, {}};
      td::gate::add_lef(one, path, fresh);
    });
  };
  CHECK(refusal("END LIBRARY") == path + ": MACRO = none is illegal; legal: a LEF file with cells");
  CHECK(refusal("MACRO GATE2 SIZE 2.4 BY 9 ; END GATE2") ==
        path + ": GATE2 SIZE = 9 is illegal; legal: the height of a row, 10");
  CHECK(refusal("MACRO GATE2 SIZE 2.4 BY x ; END GATE2") ==
        path + ": GATE2 SIZE = x is illegal; legal: -10000..10000, um");
  CHECK(refusal("MACRO GATE2 SIZE 1e300 BY 10 ; END GATE2") ==
        path + ": GATE2 SIZE = 1e300 is illegal; legal: -10000..10000, um");
  CHECK(refusal("MACRO GATE2 SIZE 0 BY 10 ; END GATE2") ==
        path + ": GATE2 SIZE = 0 is illegal; legal: more than 0, um");
  CHECK(refusal("MACRO GATE2 SIZE 2.4 BY 10 ; END GATE2") ==
        path + ": GATE2 PIN = none of A is illegal; legal: all pins with a RECT");
  CHECK(refusal("MACRO OTHER SIZE 2.4 BY 10 ; END OTHER") ==
        path + ": MACRO = none of GATE2 is illegal; legal: all cells");
  for (std::size_t size = good.find("MACRO") + 5; size < good.find("END GATE2"); ++size) {
    CHECK(refusal(good.substr(0, size)) != "(accepted)");
  }
}

TEST_CASE("placement: Verilog and SPEF name each wire once, and all of its pins") {
  const Design design(300);
  Layout layout = design.layout();
  const Placed placed = design.place(layout);
  const td::gate::PlacedDesign whole{design.netlist,       design.library, layout,
                                     design.options.rules, placed.wiring,  placed.places};
  const td::gate::PlacedNames names(whole);
  const std::string verilog = td::gate::flat_verilog(whole, names);
  CHECK(verilog.find("module top (in, out);\n  input [7:0] in;\n  output [2:0] out;\n") == 0);
  CHECK(verilog.find("  assign out[2] = out[0];\n") != std::string::npos);
  CHECK(verilog.find(" \\g299  (") != std::string::npos);
  std::set<std::string> wires;
  for (std::size_t wire = 0; wire < placed.wiring.wires.size(); ++wire) {
    CHECK(wires.insert(names.wire(wire)).second);
  }
  const std::string spef = td::gate::spef(whole, names);
  std::size_t nets = 0, pins = 0, expected = 0;
  for (std::size_t i = 0; (i = spef.find("*D_NET", i)) != std::string::npos; ++i) ++nets;
  for (std::size_t i = 0; (i = spef.find("\n*I ", i)) != std::string::npos; ++i) ++pins;
  for (std::size_t i = 0; (i = spef.find("\n*P ", i)) != std::string::npos; ++i) ++pins;
  for (const Wire& wire : placed.wiring.wires) expected += 1 + wire.sinks.size();
  CHECK(nets == placed.wiring.wires.size());
  CHECK(pins == expected);
}
