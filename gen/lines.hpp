// SPDX-License-Identifier: Apache-2.0
// Emits what one tile row and one tile column of PEs share: staging, choice and operands.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td {

/// One tile row: the side B staging buffer, the scheduler and what it has taken so far, and the
/// side B multiplexers, shared by the PEs of the row.
std::string emit_row(const Config& config);

/// One tile column: the side A staging buffer, shared by the PEs of the column.
std::string emit_column(const Config& config);

/// One row or column of the dense tile: a register, whose row is the operands.
std::string emit_dense_line(const Config& config);

}  // namespace td
