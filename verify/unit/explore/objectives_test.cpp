// SPDX-License-Identifier: Apache-2.0
// By what points are compared, and which no other beats.
#include "sim/explore/objectives.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/configuration/preset.hpp"
#include "base/support/text_file.hpp"
#include "sim/explore/pattern/pattern_search.hpp"
#include "sim/explore/space.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::sim::Need;
using td::sim::Point;
using td::sim::PointObjective;

}  // namespace

TEST_CASE("front: exactly the points that no other beats") {
  const std::vector<const PointObjective*> objectives = {
      td::sim::find_point_objective("total_speedup"), td::sim::find_point_objective("levels")};
  REQUIRE(objectives[0]->is_most);
  REQUIRE_FALSE(objectives[1]->is_most);
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    std::vector<Point> points(12);
    for (Point& point : points) {
      point.objectives = {1.0 * td::unit::pick(random, 0, 6), 1.0 * td::unit::pick(random, 0, 6)};
    }
    td::sim::mark_front(objectives, points);
    for (const Point& point : points) {
      bool beaten = false;
      for (const Point& other : points) {
        const bool as_good = other.objectives[0] >= point.objectives[0] &&
                             other.objectives[1] <= point.objectives[1];
        beaten = beaten || (as_good && other.objectives != point.objectives);
      }
      CHECK(point.on_front == !beaten);
    }
  }
}

TEST_CASE("objectives: means over the networks, of compute and of the machine") {
  Point point;
  point.networks.resize(2);
  point.networks[0].found = {2, 1.5, td::sim::MachineFigures{1.25, 1000}, 1};
  point.networks[1].found = {8, 6, td::sim::MachineFigures{5, 4000}, 4};
  const auto value = [&](const char* name) {
    return td::sim::find_point_objective(name)->value(point, nullptr);
  };
  CHECK(value("total_speedup") == doctest::Approx(4));
  CHECK(value("data_speedup") == doctest::Approx(3));
  CHECK(value("memory_speedup") == doctest::Approx(2.5));
  CHECK(value("memory_clocks") == doctest::Approx(2000));
  CHECK(value("total_efficiency") == doctest::Approx(2));
  CHECK(value("power") == doctest::Approx(2));
  CHECK(td::sim::find_point_objective("total_efficiency")->is_most);
  CHECK_FALSE(td::sim::find_point_objective("power")->is_most);
  CHECK(td::sim::find_point_objective("memory_speedup")->is_most);
  CHECK_FALSE(td::sim::find_point_objective("memory_clocks")->is_most);
  CHECK(td::sim::find_point_objective("speed") == nullptr);
}

TEST_CASE("objectives: the machine is simulated for those that need it, and for no others") {
  td::sim::Space space;
  for (const PointObjective& one : td::sim::point_objectives()) {
    CAPTURE(one.name);
    space.objectives = {&one};
    CHECK(space.needs(Need::machine) == (std::string(one.name).rfind("memory_", 0) == 0));
  }
  CHECK_FALSE(td::sim::Space().needs(Need::machine));
}
