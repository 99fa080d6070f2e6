// SPDX-License-Identifier: Apache-2.0
// How fast a verilated accelerator was simulated.
#pragma once

#include <string>

#include "base/configuration/config.hpp"
#include "sim/driven/driven_step.hpp"

namespace td::sim {

/// A line for each operation and mode: thousands of clocks and millions of useful MACs per CPU
/// second of the Verilog with its testbench, clocks in which a tile stepped, and the steps of the
/// tiles that had the fewest and the most.
std::string rate_table(const Config& config, const StepRunResult& result);

}  // namespace td::sim
