// SPDX-License-Identifier: Apache-2.0
// Writes the top of a design: the tile of hw/ with the tables and values of a configuration.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"

namespace td {

/// Name of the top module, and of its file without extension.
std::string top_name(const Config& config);

/// Verilog of the top.
std::string emit_top(const Config& config);

}  // namespace td
