// SPDX-License-Identifier: Apache-2.0
// Patterns: the published ones, their levels, and how patterns fit few lanes or a small depth.
#include "base/configuration/pattern.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::Level;
using td::Option;
using td::unit::Element;
using td::unit::pick;
using td::unit::reach_of;
using Options = std::vector<Option>;
using Levels = std::vector<Level>;

struct Published {
  std::string name;
  Options options;
  Levels levels;
};

const Levels kSixLevels = {{0, 5, 10}, {1, 6, 11}, {2, 7, 12}, {3, 8, 13}, {4, 9, 14}, {15}};

const std::vector<Published> kPublished = {
    {"lookahead_first",
     {{0, 0}, {1, 0}, {2, 0}, {1, -1}, {1, 1}, {2, -2}, {2, 2}, {1, -3}},
     kSixLevels},
    {"step_first", {{0, 0}, {1, -1}, {1, 0}, {1, 1}, {1, 3}, {2, -2}, {2, 0}, {2, 2}}, kSixLevels},
    {"wide4",
     {{0, 0}, {1, -2}, {1, -7}, {1, -5}, {1, 0}, {2, -4}, {2, -3}, {2, 6}},
     {{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}},
    {"deep4",
     {{0, 0}, {1, 3}, {2, -6}, {1, 6}, {1, -7}, {2, -1}, {3, -5}, {3, 2}},
     {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}, {12, 13, 14}, {15}}},
};

/// Options at will: repeated, of step 0, with offsets beyond the lanes.
Options any_options(std::mt19937& random, int lanes) {
  Options options = {{0, 0}};
  for (int i = pick(random, 0, 14); i > 0; --i) {
    options.push_back({pick(random, 0, 5), pick(random, -2 * lanes, 2 * lanes)});
  }
  return options;
}

bool meet(const std::set<Element>& x, const std::set<Element>& y) {
  return std::any_of(x.begin(), x.end(), [&](const Element& e) { return y.count(e) != 0; });
}

/// First-fit by definition, on the elements that each level reaches so far.
Levels first_fit(const Options& options, int lanes) {
  Levels levels;
  std::vector<std::set<Element>> reached;
  for (int lane = 0; lane < lanes; ++lane) {
    const std::set<Element> reach = reach_of(lane, options, lanes);
    std::size_t level = 0;
    while (level < levels.size() && meet(reached[level], reach)) ++level;
    if (level == levels.size()) {
      levels.emplace_back();
      reached.emplace_back();
    }
    levels[level].push_back(lane);
    reached[level].insert(reach.begin(), reach.end());
  }
  return levels;
}

}  // namespace

TEST_CASE("pattern: the named patterns and their levels are those of the document") {
  CHECK(td::named_patterns().size() == kPublished.size());
  for (const Published& published : kPublished) {
    CAPTURE(published.name);
    const td::NamedPattern* pattern = td::find_pattern(published.name);
    REQUIRE(pattern != nullptr);
    CHECK(pattern->name == published.name);
    CHECK(pattern->options == published.options);
    CHECK(td::colour_levels(pattern->options, 16) == published.levels);
    int depth = 1;
    for (const Option& option : published.options) depth = std::max(depth, option.step + 1);
    const td::FittedPattern fitted = td::fit_pattern(pattern->options, 16, depth);
    CHECK(fitted.options == published.options);
    CHECK(fitted.dropped.empty());
  }
  CHECK(td::find_pattern("own") == nullptr);
  CHECK(td::find_pattern("") == nullptr);
}

TEST_CASE("pattern: the default is step_first") {
  CHECK(td::named_patterns().front().name == "step_first");
  CHECK(td::Config().pattern == "step_first");
}

TEST_CASE("pattern: an option reads as in the document") {
  CHECK(td::to_string(Option{0, 0}) == "(0,0)");
  CHECK(td::to_string(Option{1, 3}) == "(1,+3)");
  CHECK(td::to_string(Option{2, -12}) == "(2,-12)");
}

TEST_CASE("pattern: lanes wrap in both directions") {
  CHECK(td::source_lane(0, {1, -1}, 5) == 4);
  CHECK(td::source_lane(4, {1, 1}, 5) == 0);
  CHECK(td::source_lane(3, {1, 0}, 5) == 3);
  CHECK(td::source_lane(1, {1, -12}, 5) == 4);
  CHECK(td::source_lane(1, {1, 12}, 5) == 3);
}

TEST_CASE("pattern: lanes conflict exactly where they reach a common element") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const int lanes = pick(random, 2, 64);
    const Options options = any_options(random, lanes);
    std::vector<std::set<Element>> reach;
    for (int lane = 0; lane < lanes; ++lane) reach.push_back(reach_of(lane, options, lanes));
    bool agree = true;
    for (int x = 0; x < lanes; ++x) {
      for (int y = 0; y < lanes; ++y) {
        const bool expected =
            meet(reach[static_cast<std::size_t>(x)], reach[static_cast<std::size_t>(y)]);
        agree = agree && td::lanes_conflict(x, y, options, lanes) == expected;
      }
    }
    CAPTURE(lanes);
    CHECK(agree);
  }
}

TEST_CASE("pattern: levels are the first-fit colouring for every lane count") {
  std::mt19937 random(2);
  for (int lanes = 2; lanes <= 64; ++lanes) {
    for (int trial = 0; trial < 6; ++trial) {
      const Options options = any_options(random, lanes);
      CAPTURE(lanes);
      CHECK(td::colour_levels(options, lanes) == first_fit(options, lanes));
    }
  }
}

TEST_CASE("pattern: levels hold every lane once, and no level reaches an element twice") {
  std::mt19937 random(3);
  for (int lanes = 2; lanes <= 64; ++lanes) {
    const Options options = any_options(random, lanes);
    std::vector<int> times(static_cast<std::size_t>(lanes));
    for (const Level& level : td::colour_levels(options, lanes)) {
      std::size_t reaches = 0;
      std::set<Element> elements;
      for (int lane : level) {
        ++times.at(static_cast<std::size_t>(lane));
        const std::set<Element> reach = reach_of(lane, options, lanes);
        reaches += reach.size();
        elements.insert(reach.begin(), reach.end());
      }
      CHECK(elements.size() == reaches);
    }
    CHECK(times == std::vector<int>(times.size(), 1));
  }
}

TEST_CASE("pattern: with four lanes, options that repeat modulo the lanes are dropped") {
  // (1,+3) is (1,-1) and (2,+2) is (2,-2).
  const td::FittedPattern fitted = td::fit_pattern(td::find_pattern("step_first")->options, 4, 3);
  CHECK(fitted.options == Options{{0, 0}, {1, -1}, {1, 0}, {1, 1}, {2, -2}, {2, 0}});
  CHECK(fitted.dropped == Options{{1, 3}, {2, 2}});
}

TEST_CASE("pattern: options beyond the depth are dropped") {
  const Options& options = td::find_pattern("lookahead_first")->options;
  const td::FittedPattern two = td::fit_pattern(options, 16, 2);
  CHECK(two.options == Options{{0, 0}, {1, 0}, {1, -1}, {1, 1}, {1, -3}});
  CHECK(two.dropped == Options{{2, 0}, {2, -2}, {2, 2}});
  CHECK(td::fit_pattern(options, 16, 1).options == Options{{0, 0}});
  CHECK(td::fit_pattern(options, 16, 8).options == options);
}

TEST_CASE("pattern: fitting keeps the first of equal options, in order, within the depth") {
  std::mt19937 random(4);
  for (int trial = 0; trial < 300; ++trial) {
    const int lanes = pick(random, 2, 64);
    const int depth = pick(random, 1, 8);
    const Options options = any_options(random, lanes);
    Options kept;
    Options dropped;
    std::set<Element> seen;
    for (Option option : options) {
      const Element element = *reach_of(0, {option}, lanes).begin();
      const bool fresh = seen.insert(element).second;
      (fresh && option.step < depth ? kept : dropped).push_back(option);
    }
    const td::FittedPattern fitted = td::fit_pattern(options, lanes, depth);
    CHECK(fitted.options == kept);
    CHECK(fitted.dropped == dropped);
  }
}
