// SPDX-License-Identifier: Apache-2.0
// What stands below the table of operations: of how much of the step it is, memory and energy, and
// what gating did.
#pragma once

#include <string>

#include "sim/results/run_result.hpp"

namespace td::sim {

/// Of what share of each training step the totals are, and what they lack; empty where nobody has
/// said.
std::string coverage_text(const RunResult& result);

/// Energy of the tiles alone, and what the machine takes, by kind of operation: both dense tiles
/// beside TensorDash.
std::string memory_text(const RunResult& result);

/// Every operation from memory to memory, and their sum; of a run that has the machine.
std::string machine_text(const RunResult& result);

/// What the gating of operations cost or saved.
std::string gating_text(const RunResult& result);

}  // namespace td::sim
