// SPDX-License-Identifier: Apache-2.0
// What exploring found for one combination of parameters.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/explore/pattern/pattern_search.hpp"
#include "sim/explore/space_networks.hpp"

namespace td::sim {

/// Of a network on the accelerator, from memory to memory.
struct MachineFigures {
  double speedup = 0;  ///< over dense tiles, each with its own plan
  double clocks = 0;
};

/// Of a network, as tdsim run prints them: over dense tiles.
struct Speedups {
  double total = 0;                       ///< compute
  double data = 0;                        ///< without what dropping filled-in zeros gains
  std::optional<MachineFigures> machine;  ///< where a space asks for it
  /// Of the compute, energy of dense tiles over that of the tile's; where a space asks for it.
  std::optional<double> efficiency;
};

struct PointNetwork {
  std::string name;
  NetworkUse use = NetworkUse::tune;
  Speedups found;                    ///< with the point's pattern
  std::optional<Speedups> left_out;  ///< with the pattern that was found without this network
  std::vector<Speedups> named;       ///< with each named pattern
};

struct Point {
  std::size_t cell = 0;  ///< of the space
  Config config;
  std::int64_t scored = 0;     ///< patterns, over all chains
  bool exhaustive = false;     ///< all patterns that there are
  std::vector<double> chains;  ///< mean speed-up that each chain ended with, in the sample
  std::vector<PointNetwork> networks;
  std::vector<double> objectives;  ///< in the order of the space's
  bool on_front = false;  ///< no other point is as good in all objectives and better in one
};

/// Geometric mean over the networks, of what was found.
double geometric_mean(const Point& point, const std::function<double(const Speedups&)>& figure);

}  // namespace td::sim
