// SPDX-License-Identifier: Apache-2.0
// Pieces of Verilog that several tops hold.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "gen/design/ports.hpp"

namespace td {

/// Words behind each other, the separator between them, in lines of at most 100 columns.
std::string wrapped(const std::vector<std::string>& words, const std::string& indent,
                    const std::string& separator);

/// Each port connected to the signal of its name, in such lines.
std::string connections(const std::vector<Port>& ports);

/// The pattern's tables STEP, OFFSET and LEVEL as localparams; not for a dense tile.
std::string emit_tables(const Config& config);

}  // namespace td
