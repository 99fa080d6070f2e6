// SPDX-License-Identifier: Apache-2.0
// Writes the top of an accelerator: that of hw/ with the tables and values of a configuration.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "gen/design/ports.hpp"

namespace td {

constexpr int kAddressBits = 40;   ///< of an address in memory
constexpr int kRegisterBits = 12;  ///< of a register's offset

/// Name of the top module, and of its file without extension.
std::string accelerator_name(const Config& config);

/// Its ports, in order; a text of `...` goes on with the channel above.
std::vector<Port> accelerator_ports(const Config& config);

/// Verilog of the top. Throws UserError for a configuration that no accelerator is built for.
std::string emit_accelerator(const Config& config);

}  // namespace td
