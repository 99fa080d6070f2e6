// SPDX-License-Identifier: Apache-2.0
// Legal configurations for tests: from a few lines of TOML, and drawn at random.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/configuration/parameters.hpp"

namespace td::unit {

/// An element of the window, or of what a lane reaches: row and lane.
using Element = std::pair<int, int>;

inline int pick(std::mt19937& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// Named `t`; `text` is the rest of the file.
inline Config config_of(const std::string& text) {
  return parse_config("name = \"t\"\n" + text, "test.toml");
}

/// The same configuration with so many tiles.
inline Config on_tiles(Config config, std::int64_t tiles) {
  config.accelerator.tiles = tiles;
  return config;
}

/// What a lane reaches, straight from the definition: `offset` lanes to the side, modulo the lanes.
inline std::set<Element> reach_of(int lane, const std::vector<Option>& options, int lanes) {
  std::set<Element> elements;
  for (Option option : options) {
    int source = lane + option.offset;
    while (source < 0) source += lanes;
    while (source >= lanes) source -= lanes;
    elements.insert({option.step, source});
  }
  return elements;
}

/// (0,0), then up to `most` options that differ modulo the lanes.
inline std::vector<Option> random_options(std::mt19937& random, int lanes, int depth, int most) {
  std::vector<Option> options = {{0, 0}};
  std::set<Element> seen;
  for (int i = pick(random, 0, most); depth > 1 && i > 0; --i) {
    const Option option = {pick(random, 1, depth - 1), pick(random, 1 - lanes, lanes - 1)};
    if (seen.insert({option.step, (option.offset + lanes) % lanes}).second)
      options.push_back(option);
  }
  return options;
}

/// Legal levels: lanes in any order join the first level that lets them.
inline std::vector<Level> random_levels(std::mt19937& random, const std::vector<Option>& options,
                                        int lanes) {
  std::vector<int> order(static_cast<std::size_t>(lanes));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Level> levels;
  std::vector<std::set<Element>> reached;
  for (int lane : order) {
    const std::set<Element> reach = reach_of(lane, options, lanes);
    std::size_t level = 0;
    const auto meets = [&](const Element& element) { return reached[level].count(element) != 0; };
    while (level < levels.size() && std::any_of(reach.begin(), reach.end(), meets)) ++level;
    if (level == levels.size()) {
      levels.emplace_back();
      reached.emplace_back();
    }
    levels[level].push_back(lane);
    reached[level].insert(reach.begin(), reach.end());
  }
  return levels;
}

/// Limits of random configurations, so that tests stay quick.
struct RandomLimits {
  int lanes = 64;
  int depth = 8;
  int options = 12;
  int lines = 16;  ///< tile rows, tile columns
  bool dense = true;
};

/// Any configuration within the limits: named and own patterns, coloured and other levels.
inline Config random_config(std::mt19937& random, const RandomLimits& limits = {}) {
  Config config;
  for (const Parameter& parameter : parameters()) {
    if (parameter.set == nullptr) continue;
    const bool is_choice = parameter.kind == ParameterKind::choice;
    const int most = is_choice ? static_cast<int>(parameter.choices.size()) - 1 : parameter.maximum;
    parameter.set(config, pick(random, is_choice ? 0 : parameter.minimum, most));
  }
  config.name = "r" + std::to_string(pick(random, 0, 99));
  config.lanes = pick(random, 2, limits.lanes);
  config.depth = pick(random, 1, limits.depth);
  config.rows = pick(random, 1, limits.lines);
  config.columns = pick(random, 1, limits.lines);
  if (config.is_dense() && !limits.dense) config.scheduling = Scheduling::one_sided;
  if (config.scheduling == Scheduling::two_sided) config.rows = config.columns = 1;
  if (!config.is_dense()) {
    const auto& named = named_patterns();
    const int choice = pick(random, 0, 2 * static_cast<int>(named.size()));
    if (choice < static_cast<int>(named.size())) {
      const NamedPattern& pattern = named[static_cast<std::size_t>(choice)];
      config.pattern = pattern.name;
      config.options = fit_pattern(pattern.options, config.lanes, config.depth).options;
    } else {
      config.pattern = "own";
      config.options = random_options(random, config.lanes, config.depth, limits.options);
    }
    config.levels = pick(random, 0, 1) == 0 ? colour_levels(config.options, config.lanes)
                                            : random_levels(random, config.options, config.lanes);
  }
  return parse_config(canonical_toml(config), "random.toml");
}

/// As random_config, with few PEs, so that emitting it is quick.
inline Config small_config(std::mt19937& random) {
  RandomLimits limits;
  limits.lines = 3;
  return random_config(random, limits);
}

}  // namespace td::unit
