// SPDX-License-Identifier: Apache-2.0
// Emits the operand interconnect: the multiplexers in front of the multipliers' inputs.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td {

/// The multiplexers of one side of one PE (or of one tile row, for the shared side B): each lane's
/// operand is the AND-OR of its candidates and its one-hot select, so that an idle lane gets +0.
std::string emit_interconnect(const Config& config);

}  // namespace td
