// SPDX-License-Identifier: Apache-2.0
// Steiner trees: of few pins by hand, of more beside spanning trees.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "sim/gate/placement/wire_tree.hpp"

namespace {

using td::gate::at;
using td::gate::Point;
using td::gate::WireTree;

}  // namespace

TEST_CASE("placement: wire trees of few pins have the least length there is") {
  using td::gate::wire_tree;
  CHECK(wire_tree({{0, 0}}).length() == 0);
  CHECK(wire_tree({{0, 0}, {3, 4}}).length() == 7);
  CHECK(wire_tree({{0, 0}, {10, 1}, {5, 8}}).length() == 18);           // of three pins, the box
  CHECK(wire_tree({{0, 5}, {10, 5}, {5, 0}, {5, 10}}).length() == 20);  // a cross
  CHECK(wire_tree({{0, 0}, {0, 0}, {2, 0}, {2, 0}}).length() == 2);
  const WireTree tree = wire_tree({{0, 0}, {10, 0}, {5, 8}});
  REQUIRE(tree.nodes.size() == 4);  // it branches between pins
  CHECK(tree.nodes[3] == Point{5, 0});
}

TEST_CASE("placement: wire trees join all pins, in no more than a spanning tree takes") {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<Point> pins(2 + random() % 90);
    for (Point& pin : pins) pin = {double(random() % 1000), double(random() % 1000)};
    const WireTree tree = td::gate::wire_tree(pins);
    REQUIRE(tree.nodes.size() == tree.parent.size());
    REQUIRE(std::equal(pins.begin(), pins.end(), tree.nodes.begin()));
    CHECK(tree.parent[0] == -1);
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
      std::size_t steps = 0;
      for (std::int32_t up = static_cast<std::int32_t>(node); up != 0; up = tree.parent[at(up)]) {
        REQUIRE(++steps < tree.nodes.size());
      }
    }
    // Prim over pins alone.
    std::vector<double> way(pins.size(), 1e9);
    std::vector<char> joined(pins.size(), 0);
    double spanning = 0;
    std::size_t last = 0;
    for (std::size_t i = 1; i < pins.size(); ++i) {
      joined[last] = 1;
      std::size_t next = 0;
      for (std::size_t pin = 1; pin < pins.size(); ++pin) {
        if (joined[pin] != 0) continue;
        way[pin] = std::min(way[pin], td::gate::distance(pins[last], pins[pin]));
        if (next == 0 || way[pin] < way[next]) next = pin;
      }
      spanning += way[next];
      last = next;
    }
    CHECK(tree.length() <= spanning + 1e-6);
    // Hwang: no Steiner tree is shorter than two thirds of it.
    CHECK(tree.length() >= spanning * 2 / 3 - 1e-6);
  }
}
