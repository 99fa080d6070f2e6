// SPDX-License-Identifier: Apache-2.0
// Ports around a core, at inverters of their own.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/gate/placement/ports.hpp"
#include "verify/unit/gate/gate_cells.hpp"

namespace {

using td::gate::at;
using td::gate::Core;
using td::gate::kX;
using td::gate::kY;
using td::gate::Layout;
using td::gate::Net;
using td::gate::PinDirection;
using td::gate::Places;
using td::gate::Point;

constexpr double kPitch = 1.6;
const Core kCore{100, 10, 100};

/// Where ports stand of which each is at inverters with these places; the last port is at none, and
/// at the corner.
std::vector<Point> drawn(const std::vector<std::vector<Point>>& inverters) {
  td::gate::Library library;
  library.cells = {td::unit::logic_cell("INV", {"A"}, {{"Y", "!A"}})};
  library.cells[0].area = 16;
  td::gate::Netlist netlist;
  netlist.blocks.push_back({"", "top", -1, {}});
  netlist.nets = 2;  // 0 and 1 are constants
  std::vector<Net> bits;
  Places places;
  for (const std::vector<Point>& at_port : inverters) {
    bits.push_back(netlist.nets++);
    for (const Point& place : at_port) {
      netlist.gates.push_back({0, 0, static_cast<std::int32_t>(netlist.pin_nets.size()), 0});
      netlist.pin_nets.insert(netlist.pin_nets.end(), {bits.back(), netlist.nets++});
      places.push_back(place);
    }
  }
  bits.push_back(netlist.nets++);
  netlist.ports.push_back({"in", PinDirection::input, bits});
  const Layout layout(netlist, library, {10, 0.8, {}, {}},
                      std::vector(at(netlist.nets), td::gate::NetUse::wired));
  places.resize(layout.vertices(), {0, 0});
  td::gate::draw_ports(layout, kCore, kPitch, places);
  return {places.begin() + static_cast<std::ptrdiff_t>(layout.cells()), places.end()};
}

/// So many ports, each at an inverter, all of which have the same place.
std::vector<Point> drawn_to(std::size_t count, const Point& place) {
  return drawn(std::vector<std::vector<Point>>(count, {place}));
}

/// µm of the way round, from a corner.
double way(const Point& place) {
  if (place[kY] == 0) return place[kX];
  if (place[kX] == kCore.width) return kCore.width + place[kY];
  if (place[kY] == kCore.height) return 300 - place[kX];
  REQUIRE(place[kX] == 0);
  return 400 - place[kY];
}

/// How far apart ports are, one behind the other all the way round.
std::vector<double> gaps(const std::vector<Point>& ports) {
  std::vector<double> ways;
  for (const Point& port : ports) ways.push_back(way(port));
  std::sort(ways.begin(), ways.end());
  std::vector<double> found{ways.front() + 400 - ways.back()};
  for (std::size_t i = 1; i < ways.size(); ++i) found.push_back(ways[i] - ways[i - 1]);
  return found;
}

}  // namespace

TEST_CASE("ports: each stands where the edge is nearest to what it is joined to, or stays") {
  const std::vector<Point> expected{{30, 0}, {100, 60}, {40, 100}, {0, 20}, {53, 0}, {0, 0}};
  const std::vector<Point> found =
      drawn({{{30, 5}}, {{95, 60}}, {{40, 98}}, {{2, 20}}, {{50, 2}, {56, 8}}});
  REQUIRE(found.size() == expected.size());
  for (std::size_t port = 0; port < found.size(); ++port) {
    for (const std::size_t axis : {kX, kY})
      CHECK(found[port][axis] == doctest::Approx(expected[port][axis]));
  }
}

TEST_CASE(
    "ports: those in each other's way stand apart, and in the middle of where they would be") {
  const std::vector<Point> found = drawn_to(20, {50, 3});
  double sum = 0;
  for (std::size_t port = 0; port < 20; ++port) {
    CHECK(found[port][kY] == 0);
    sum += found[port][kX];
  }
  CHECK(sum / 20 == doctest::Approx(50));
  const std::vector<double> apart = gaps({found.begin(), found.begin() + 20});
  CHECK(std::count_if(apart.begin(), apart.end(),
                      [](double gap) { return std::abs(gap - kPitch) < 1e-9; }) == 19);
}

TEST_CASE("ports: they go round a corner") {
  const std::vector<Point> found = drawn_to(9, {0.1, 0.2});
  CHECK(std::any_of(found.begin(), found.end(), [](const Point& port) { return port[kX] > 2; }));
  CHECK(std::any_of(found.begin(), found.end(), [](const Point& port) { return port[kY] > 2; }));
  for (const double gap : gaps(found)) CHECK(gap > kPitch - 1e-9);
}

TEST_CASE("ports: without room for their pitch they stand evenly") {
  const std::vector<double> apart = gaps(drawn_to(499, {70, 99}));
  CHECK(apart.size() == 500);
  for (const double gap : apart) CHECK(gap == doctest::Approx(400.0 / 500));
}
