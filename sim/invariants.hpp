// SPDX-License-Identifier: Apache-2.0
// What must hold of every result, whatever the network: a run that breaks it is stopped.
#pragma once

#include "gen/config.hpp"
#include "sim/run_result.hpp"

namespace td::sim {

/// Checks an operation on `tiles` tiles: no part of the multipliers' cycles is negative (so the
/// utilisation is at most 1), the parts add up exactly, dense <= depth * cycles, and cycles <=
/// dense. Throws std::logic_error naming the layer, the operation and the two numbers.
void check_invariants(const OpResult& result, const Config& config, std::int64_t tiles);

}  // namespace td::sim
