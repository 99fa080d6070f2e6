// SPDX-License-Identifier: Apache-2.0
// Emits the intake: row handshakes, stream boundaries, and the decision to step.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td {

/// Intake of the TensorDash tile: knows which places of both sides' staging buffers hold a row,
/// keeps the flags of side B's rows, steps when every window is as full as its stream allows, and
/// turns what the schedulers left into the advance and into the moves of all rows. Ready depends on
/// registers alone, and counts the room of the rows that leave in this clock.
std::string emit_intake(const Config& config);

/// Intake of the dense tile: one row of each side at a time.
std::string emit_dense_intake(const Config& config);

}  // namespace td
