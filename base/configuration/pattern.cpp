// SPDX-License-Identifier: Apache-2.0
#include "base/configuration/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td {

std::string to_string(Option option) {
  return option.offset == 0 ? fmt::format("({},0)", option.step)
                            : fmt::format("({},{:+d})", option.step, option.offset);
}

const std::vector<NamedPattern>& named_patterns() {
  static const std::vector<NamedPattern> patterns = {
      {"step_first",
       "nearer row first, the order of the authors' simulator",
       {{0, 0}, {1, -1}, {1, 0}, {1, 1}, {1, 3}, {2, -2}, {2, 0}, {2, 2}}},
      {"lookahead_first",
       "own lane first, the order of the paper's text",
       {{0, 0}, {1, 0}, {2, 0}, {1, -1}, {1, 1}, {2, -2}, {2, 2}, {1, -3}}},
      {"wide4",
       "found by search: four levels instead of six, faster than both",
       {{0, 0}, {1, -2}, {1, -7}, {1, -5}, {1, 0}, {2, -4}, {2, -3}, {2, 6}}},
      {"deep4",
       "for depth 4, found by search: as many options, reaching one row further",
       {{0, 0}, {1, 3}, {2, -6}, {1, 6}, {1, -7}, {2, -1}, {3, -5}, {3, 2}}},
  };
  return patterns;
}

const NamedPattern* find_pattern(std::string_view name) {
  for (const NamedPattern& pattern : named_patterns()) {
    if (pattern.name == name) return &pattern;
  }
  return nullptr;
}

int source_lane(int lane, Option option, int lanes) {
  return ((lane + option.offset) % lanes + lanes) % lanes;
}

bool lanes_conflict(int lane_x, int lane_y, const std::vector<Option>& options, int lanes) {
  for (Option x : options) {
    for (Option y : options) {
      if (x.step == y.step && source_lane(lane_x, x, lanes) == source_lane(lane_y, y, lanes)) {
        return true;
      }
    }
  }
  return false;
}

std::vector<Level> colour_levels(const std::vector<Option>& options, int lanes) {
  std::vector<Level> levels;
  for (int lane = 0; lane < lanes; ++lane) {
    const auto free = std::find_if(levels.begin(), levels.end(), [&](const Level& level) {
      return std::none_of(level.begin(), level.end(),
                          [&](int other) { return lanes_conflict(lane, other, options, lanes); });
    });
    if (free == levels.end()) {
      levels.push_back({lane});
    } else {
      free->push_back(lane);
    }
  }
  return levels;
}

FittedPattern fit_pattern(const std::vector<Option>& options, int lanes, int depth) {
  FittedPattern fitted;
  for (Option option : options) {
    const bool repeated =
        std::any_of(fitted.options.begin(), fitted.options.end(), [&](Option earlier) {
          return earlier.step == option.step &&
                 source_lane(0, earlier, lanes) == source_lane(0, option, lanes);
        });
    auto& list = repeated || option.step >= depth ? fitted.dropped : fitted.options;
    list.push_back(option);
  }
  return fitted;
}

}  // namespace td
