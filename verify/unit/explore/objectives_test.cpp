// SPDX-License-Identifier: Apache-2.0
// Which points no other beats, and areas against synthesis.
#include "sim/explore/objectives.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "gen/base/text_file.hpp"
#include "sim/explore/pattern/pattern_search.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::sim::AreaFit;
using td::sim::Point;
using td::sim::PointObjective;

constexpr const char* kFit = TD_FITS "/osu018_7ns.json";

AreaFit stored_fit() { return {td::read_text(kFit, "a fit"), kFit}; }

void check_refused(const std::string& text, const std::string& said) {
  const std::string message = td::unit::message_of([&] { AreaFit(text, "f.json"); });
  CHECK_MESSAGE(message.find(said) != std::string::npos, message);
}

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

TEST_CASE("area fit: tiles that scripts/ppa --fit synthesised, within the error that it states") {
  struct Tile {
    const char* text;
    double um2;
  };
  const char* narrow =
      "[tile]\nlanes = 8\nrows = 4\ncolumns = 2\n[tile.interconnect]\ndepth = 4\n"
      "pattern = [[0, 0], [1, -1], [1, 0], [1, 2], [2, -2], [2, 1]]\n";
  const Tile tiles[] = {{"", 31041466},
                        {"[tile]\nrows = 8\n", 61536860},
                        {"[tile.interconnect]\ndepth = 4\n", 31787701},
                        {"[tile.numerics]\nformat = \"fp32\"\n", 68309178},
                        {narrow, 8276368}};
  const AreaFit fit = stored_fit();
  CHECK(fit.error_percent() < 2);
  for (const Tile& tile : tiles) {
    const double ratio = fit.um2(td::unit::config_of(tile.text)) / tile.um2;
    CHECK(100 * std::abs(ratio - 1) <= fit.error_percent());
  }
  CHECK_FALSE(fit.knows(td::unit::config_of("[tile.numerics]\nsum = \"fused\"\n")));
}

TEST_CASE("area fit: what is no fit is refused by name") {
  std::string text = td::read_text(kFit, "a fit");
  const auto replaced = [&text](const std::string& from, const std::string& to) {
    std::string other = text;
    const std::size_t at = other.find(from);
    REQUIRE(at != std::string::npos);
    return other.replace(at, from.size(), to);
  };
  check_refused("{}", "f.json: format");
  check_refused(replaced("tensordash-fit-2", "tensordash-fit-1"), "f.json: format");
  check_refused(replaced("rows*columns*lanes", "rows*knobs"), "instances");
}
