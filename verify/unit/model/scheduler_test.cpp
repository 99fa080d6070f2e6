// SPDX-License-Identifier: Apache-2.0
// The scheduler on masks does what the definition says, lane by lane, for any configuration.
#include "sim/model/scheduler.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::Config;
using td::sim::Choice;
using td::sim::LaneMask;
using td::unit::Element;
using td::unit::pick;
using td::unit::reach_of;

/// What a step takes: option and element of every lane that is not idle.
struct Take {
  std::size_t option;
  Element element;
  bool operator==(const Take& other) const {
    return option == other.option && element == other.element;
  }
};
using Takes = std::map<int, Take>;

Element reached(const Config& config, int lane, std::size_t option) {
  return *reach_of(lane, {config.options[option]}, config.lanes).begin();
}

/// The definition: lanes in the order of their levels, each takes its first effectual option, and
/// what it takes is gone for those behind it.
Takes choose_slowly(const Config& config, std::set<Element>& free) {
  Takes takes;
  for (const td::Level& level : config.levels) {
    for (int lane : level) {
      for (std::size_t p = 0; p < config.options.size(); ++p) {
        const Element element = reached(config, lane, p);
        if (free.erase(element) == 0) continue;
        takes[lane] = {p, element};
        break;
      }
    }
  }
  return takes;
}

/// The masks' choice as takes. A lane that takes twice is a failure.
Takes takes_of(const Config& config, const Choice& choice) {
  Takes takes;
  for (std::size_t p = 0; p < config.options.size(); ++p) {
    CHECK((config.lanes == 64 || choice.lanes[p] >> config.lanes == 0));
    for (int lane = 0; lane < config.lanes; ++lane) {
      if ((choice.lanes[p] >> lane & 1) == 0) continue;
      CHECK(takes.emplace(lane, Take{p, reached(config, lane, p)}).second);
    }
  }
  return takes;
}

std::set<Element> elements_of(const std::vector<LaneMask>& rows, int lanes) {
  std::set<Element> elements;
  for (std::size_t step = 0; step < rows.size(); ++step) {
    CHECK((lanes == 64 || rows[step] >> lanes == 0));
    for (int lane = 0; lane < lanes; ++lane) {
      if ((rows[step] >> lane & 1) != 0) elements.insert({static_cast<int>(step), lane});
    }
  }
  return elements;
}

std::vector<LaneMask> random_window(std::mt19937& random, const Config& config) {
  std::vector<LaneMask> rows(static_cast<std::size_t>(config.depth));
  const int density = pick(random, 0, 10);
  for (LaneMask& row : rows) {
    for (int lane = 0; lane < config.lanes; ++lane) {
      row |= static_cast<LaneMask>(pick(random, 1, 10) <= density) << lane;
    }
  }
  return rows;
}

void check_properties(const Config& config, const std::set<Element>& before, const Takes& takes,
                      const std::set<Element>& after) {
  std::set<Element> taken;
  bool effectual = true;
  for (const auto& [lane, take] : takes) {
    effectual = effectual && before.count(take.element) == 1;
    taken.insert(take.element);
  }
  CHECK(effectual);
  CHECK(taken.size() == takes.size());                  // no element twice
  CHECK(before.size() == taken.size() + after.size());  // gone is what was taken
  CHECK((after.empty() || after.begin()->first > 0));   // row 0 is empty
  bool busy = true;
  for (int lane = 0; lane < config.lanes; ++lane) {
    if (takes.count(lane) != 0) continue;
    for (const Element& element : reach_of(lane, config.options, config.lanes)) {
      busy = busy && after.count(element) == 0;
    }
  }
  CHECK(busy);  // no lane idles with something in reach
}

void check_window(const Config& config, std::vector<LaneMask> rows) {
  const std::set<Element> before = elements_of(rows, config.lanes);
  Choice choice;
  td::sim::Scheduler(config).choose(rows.data(), choice);
  const std::set<Element> after = elements_of(rows, config.lanes);
  const Takes takes = takes_of(config, choice);
  check_properties(config, before, takes, after);
  std::set<Element> left = before;
  CHECK(takes == choose_slowly(config, left));
  CHECK(after == left);
}

td::unit::RandomLimits limits(int lanes) {
  td::unit::RandomLimits limits;
  limits.lanes = lanes;
  limits.dense = false;
  return limits;
}

}  // namespace

TEST_CASE("scheduler: four lanes by hand") {
  // Own option, a row ahead, a row ahead to the right. Lanes i and i+1 share (1,i+1): levels
  // {0,2} {1,3}. Row 0 has lanes 0 and 3; row 1 has lanes 0, 1 and 2.
  const Config config = td::unit::config_of(
      "tile.lanes = 4\ntile.interconnect.depth = 2\n"
      "tile.interconnect.pattern = [[0, 0], [1, 0], [1, 1]]");
  REQUIRE(config.levels == std::vector<td::Level>{{0, 2}, {1, 3}});
  LaneMask rows[] = {0b1001, 0b0111};
  Choice choice;
  td::sim::Scheduler(config).choose(rows, choice);
  CHECK(choice.lanes[0] == 0b1001);  // lanes 0 and 3 take their own
  CHECK(choice.lanes[1] == 0b0110);  // lane 2, first, takes (1,2); lane 1 then takes (1,1)
  CHECK(choice.lanes[2] == 0);
  CHECK(rows[0] == 0);
  CHECK(rows[1] == 0b0001);  // out of reach: lane 0 has its own, lane 3 too
}

TEST_CASE("scheduler: the order of levels decides who gets a shared element") {
  // Only (1,2) is there: lane 2 reaches it straight ahead, lane 1 to its right.
  const std::string text =
      "tile.lanes = 4\n[tile.interconnect]\ndepth = 2\n"
      "pattern = [[0, 0], [1, 0], [1, 1]]\n";
  for (const bool odd_first : {false, true}) {
    const Config config = td::unit::config_of(
        text + (odd_first ? "levels = [[1, 3], [0, 2]]" : "levels = [[0, 2], [1, 3]]"));
    LaneMask rows[] = {0, 0b0100};
    Choice choice;
    td::sim::Scheduler(config).choose(rows, choice);
    CHECK(choice.lanes[1] == (odd_first ? 0U : 0b0100U));
    CHECK(choice.lanes[2] == (odd_first ? 0b0010U : 0U));
    CHECK(rows[1] == 0);
  }
}

TEST_CASE("scheduler: random configurations and windows, against the definition") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 400; ++trial) {
    const Config config = td::unit::random_config(random, limits(64));
    CAPTURE(trial);
    CAPTURE(config.lanes);
    CAPTURE(config.depth);
    for (int window = 0; window < 8; ++window) check_window(config, random_window(random, config));
  }
}

TEST_CASE("scheduler: few lanes, where options wrap onto each other's neighbours") {
  std::mt19937 random(8);
  for (int trial = 0; trial < 400; ++trial) {
    const Config config = td::unit::random_config(random, limits(5));
    CAPTURE(trial);
    CAPTURE(config.lanes);
    CAPTURE(config.depth);
    for (int window = 0; window < 8; ++window) check_window(config, random_window(random, config));
  }
}

TEST_CASE("scheduler: full and empty windows of all 64 lanes") {
  for (const char* pattern : {"step_first", "lookahead_first", "wide4"}) {
    const Config config = td::unit::config_of(
        std::string("tile.lanes = 64\ntile.interconnect.pattern = \"") + pattern + '"');
    check_window(config, {0, 0, 0});
    check_window(config, {~LaneMask{0}, ~LaneMask{0}, ~LaneMask{0}});
    check_window(config, {0, ~LaneMask{0}, ~LaneMask{0}});
    check_window(config, {0, 0, ~LaneMask{0}});
  }
}
