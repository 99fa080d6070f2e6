// SPDX-License-Identifier: Apache-2.0
// What must hold of every result, whatever the network: a run that breaks it is stopped.
#pragma once

#include <string>

#include "base/configuration/config.hpp"
#include "sim/results/run_result.hpp"

namespace td::sim {

/// Checks an operation: no part of the multipliers' cycles is negative (so the
/// utilisation is at most 1), the parts add up exactly, dense <= depth * cycles, cycles <= dense,
/// memory takes no cycles away, compression adds no bytes, and where there are cycles, energies of
/// compute and memory and their efficiencies are above 0. Throws std::logic_error naming the layer,
/// the operation, `source` (where the operands are from), the configuration's hash and the two
/// numbers.
void check_invariants(const OpResult& result, const Config& config, const std::string& source);

}  // namespace td::sim
