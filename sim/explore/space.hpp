// SPDX-License-Identifier: Apache-2.0
// A declared space of configurations, and what is wanted of them: read from TOML.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/configuration/parameters.hpp"
#include "sim/explore/objectives.hpp"
#include "sim/explore/space_networks.hpp"
#include "sim/explore/tile_fit.hpp"
#include "sim/network/network_simulation.hpp"

namespace td::sim {

/// One combination of all that is not the pattern: the search finds the pattern for it.
struct Cell {
  Config shape;  ///< its pattern is still the base's
  int options = 8;
  DealingMode dealing = DealingMode::natural;
};

struct Space {
  std::string file;
  std::string name;
  std::vector<Cell> cells;
  int most_levels = 64;
  std::vector<std::string> named;  ///< named patterns to compare with
  std::vector<const PointObjective*> objectives;
  std::optional<TileFit> fit;
  std::int64_t seed = 1;
  std::int64_t chains = 1;       ///< searches of each cell, the best of which counts
  std::int64_t patterns = 1000;  ///< that each scores
  std::int64_t groups = 1024;    ///< of an operation, at most, on which it scores them
  bool leave_one_out = false;    ///< each tuned network is judged by a search without it
  std::vector<SpaceNetwork> networks;

  /// Indices of the networks that are tuned on; without the fold-th of them unless fold is 0.
  std::vector<std::size_t> tuned(std::int64_t fold) const;

  /// Whether an objective has this need.
  bool needs(Need need) const;

  /// Searches of a cell with other networks: 1, or one more for each tuned network.
  std::int64_t folds() const;
};

/// Reads and checks a space. Throws UserError, one line naming file, field, value and what would be
/// legal.
Space load_space(const std::string& path);

}  // namespace td::sim
