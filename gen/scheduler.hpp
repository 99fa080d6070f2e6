// SPDX-License-Identifier: Apache-2.0
// Emits the scheduler: which pair each lane takes in this step.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td {

/// The combinational scheduler of one tile row. Bit `step * lanes + lane` of z_i says that this
/// element of the window is effectual and may be taken; select_l*_o is one-hot over the places of
/// the pattern (all zero: the lane idles); rest_o is what remains of z_i in rows 1 and up.
std::string emit_scheduler(const Config& config);

}  // namespace td
