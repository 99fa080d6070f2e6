// SPDX-License-Identifier: Apache-2.0
// Emits the processing element: multipliers, adder tree and accumulators.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td {

/// The datapath behind the operands, the same in a TensorDash and a dense tile.
std::string emit_pe(const Config& config);

}  // namespace td
