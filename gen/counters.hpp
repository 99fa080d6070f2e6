// SPDX-License-Identifier: Apache-2.0
// Emits the performance counters.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td {

/// Counters since reset: cycles (clocks in which the tile steps), stalls (clocks in which it does
/// not though rows wait) and skipped pairs (pairs of the tile rows' streams that no
/// lane multiplied; each spares one multiplication per column). All count one clock late.
std::string emit_counters(const Config& config);

}  // namespace td
