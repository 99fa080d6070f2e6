// SPDX-License-Identifier: Apache-2.0
// The search for patterns: small spaces against all patterns that there are, large ones against
// themselves.
#include "sim/explore/pattern/pattern_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::Config;
using td::Option;
using td::sim::FoundPattern;
using td::sim::PatternTask;

/// A score with one best pattern, in which order counts.
double score(const Config& config) {
  double sum = 0;
  double weight = 1;
  for (const Option option : config.options) {
    sum += weight * ((option.step * 7 + option.offset * 5 + 40) % 11);
    weight *= 0.7;
  }
  return sum / 1000;
}

PatternTask task_of(const std::string& tile, int options, std::int64_t patterns) {
  PatternTask task;
  task.shape = td::unit::config_of(tile);
  task.options = options;
  task.patterns = patterns;
  return task;
}

std::string text(const std::vector<Option>& options) {
  std::string text;
  for (const Option option : options) text += td::to_string(option);
  return text;
}

}  // namespace

TEST_CASE("pattern search: a small space as a whole, each pattern once") {
  // Two steps of four lanes are eight options, of which two are chosen, in order: 8 * 7.
  const PatternTask task = task_of("[tile]\nlanes = 4\ninterconnect = { depth = 3 }\n", 3, 56);
  std::set<std::string> seen;
  double best = 0;
  const FoundPattern found = td::sim::search_pattern(task, [&](const Config& config) {
    CHECK(seen.insert(text(config.options)).second);
    best = std::max(best, score(config));
    return score(config);
  });
  CHECK(seen.size() == 56);
  CHECK(found.scored == 56);
  CHECK(found.exhaustive);
  CHECK(found.score == best);
}

TEST_CASE("pattern search: annealing finds the best of a space that it does not see whole") {
  PatternTask task = task_of("[tile]\nlanes = 8\ninterconnect = { depth = 4 }\n", 4, 0);
  task.patterns = 1 << 20;  // 24 * 23 * 22
  const FoundPattern all = td::sim::search_pattern(task, score);
  REQUIRE(all.exhaustive);
  REQUIRE(all.scored == 24 * 23 * 22);
  task.patterns = 3000;
  int best = 0;
  for (task.seed = 1; task.seed <= 5; ++task.seed) {
    const FoundPattern found = td::sim::search_pattern(task, score);
    CHECK_FALSE(found.exhaustive);
    CHECK(found.scored <= 3000);
    CHECK(found.score > 0.97 * all.score);
    best += found.score == all.score ? 1 : 0;
    CHECK(text(td::sim::search_pattern(task, score).options) == text(found.options));
  }
  CHECK(best >= 3);
}

TEST_CASE("pattern search: what it finds is legal and has no more levels than allowed") {
  PatternTask task = task_of("[tile]\nlanes = 16\ninterconnect = { depth = 3 }\n", 8, 400);
  for (const int levels : {4, 6, 16}) {
    task.most_levels = levels;
    const FoundPattern found = td::sim::search_pattern(task, [&](const Config& config) {
      CHECK(static_cast<int>(config.levels.size()) <= levels);
      return score(config);
    });
    REQUIRE(found.options.size() == 8);
    const Config config = td::sim::with_pattern(task.shape, found.options);
    CHECK(static_cast<int>(config.levels.size()) <= levels);
    CHECK(td::canonical_toml(td::parse_config(td::canonical_toml(config), "found.toml")) ==
          td::canonical_toml(config));
  }
  task.most_levels = td::sim::least_levels(task.shape, task.options) - 1;
  CHECK(td::sim::search_pattern(task, score).options.empty());
}
