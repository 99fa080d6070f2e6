// SPDX-License-Identifier: Apache-2.0
// Emits the tile, the module that a chip instantiates: TensorDash or dense, with the same ports.
#pragma once

#include <string>
#include <vector>

#include "gen/config.hpp"
#include "gen/verilog.hpp"

namespace td {

/// The ports of the tile, in order.
std::vector<Port> tile_ports(const Config& config);

/// The top module.
std::string emit_tile(const Config& config);

}  // namespace td
