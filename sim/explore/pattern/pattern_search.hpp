// SPDX-License-Identifier: Apache-2.0
// Finds the pattern that gains most: simulated annealing, or every pattern where they are few.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/configuration/config.hpp"

namespace td::sim {

/// What is searched for: the pattern of one tile.
struct PatternTask {
  Config shape;                  ///< lanes and depth decide which options there are
  int options = 8;               ///< inputs of a lane's multiplexer, (0,0) included
  int most_levels = 64;          ///< of the scheduler
  std::int64_t patterns = 1000;  ///< different ones to be scored
  std::uint64_t seed = 1;
};

struct FoundPattern {
  std::vector<Option> options;  ///< empty where none has so few levels
  double score = 0;
  std::int64_t scored = 0;  ///< different patterns
  bool exhaustive = false;  ///< all there are
};

/// The larger, the better. Asked once for a pattern.
using PatternScore = std::function<double(const Config&)>;

/// Options that a lane of the shape has beside its own pair.
std::int64_t reachable_options(const Config& shape);

/// No pattern has fewer levels: lanes that reach one element choose one after the other.
int least_levels(const Config& shape, int options);

/// The shape with this pattern, its levels coloured.
Config with_pattern(Config shape, const std::vector<Option>& options);

/// The same task finds the same pattern. On the caller's thread alone.
FoundPattern search_pattern(const PatternTask& task, const PatternScore& score);

}  // namespace td::sim
