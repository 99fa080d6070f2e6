// SPDX-License-Identifier: Apache-2.0
// Results of synthesis that the energy model takes: what a tile spends in a cycle.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td::sim {

/// The tile of one configuration, synthesised. The file is JSON:
///
///   {
///     "format": "tensordash-synthesis-1",
///     "configuration": "486c36b188933d5c",
///     "clock_MHz": 500,
///     "library": "osu018_stdcells",
///     "corner": "typical, 1.8 V, 25 C",
///     "energy_pJ_per_cycle": {"tile": 1234.5}
///   }
///
/// `configuration` is config_hash_text() of the configuration, all of it. The energy of the tile
/// (rows x columns PEs, with everything in front of them) is the mean over the cycles in which it
/// works, leakage included. Other members are ignored.
struct Synthesis {
  double clock_MHz = 0;
  std::string library;
  std::string corner;
  double tile_pJ_per_cycle = 0;
};

/// Reads the results for this configuration. Throws UserError when the file cannot be read, is not
/// of this form, has a figure out of its range, or is of another configuration.
Synthesis load_synthesis(const std::string& path, const Config& config);

}  // namespace td::sim
