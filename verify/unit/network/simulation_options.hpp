// SPDX-License-Identifier: Apache-2.0
// Options of simulations, for tests.
#pragma once

#include <string>

#include "base/configuration/config.hpp"
#include "sim/network/network_simulation.hpp"

namespace td::unit {

/// One tile of the configuration in a built-in technology, with what it states on energy: compute
/// alone, since no accelerator of so odd sizes is built.
inline sim::SimulationOptions options(
    const std::string& toml = "[tile]\nlanes = 4\nrows = 2\ncolumns = 3\n") {
  sim::SimulationOptions options;
  options.config = parse_config("name = \"c\"\n" + toml, "c.toml");
  options.config.accelerator.tiles = 1;
  options.compute_only = true;
  options.technology = sim::find_technology("paper_65nm", options.config);
  options.compute = sim::stated_compute_energy(options.config, options.technology);
  return options;
}

}  // namespace td::unit
