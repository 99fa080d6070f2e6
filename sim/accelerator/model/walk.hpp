// SPDX-License-Identifier: Apache-2.0
// The walk of a compute descriptor through an operand memory: rows become streams.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"

namespace td::sim {

/// Operand bits [stream][row of the chunk][lane].
using Streams = std::vector<std::uint32_t>;

/// Makes `streams` streams of `chunk_rows` rows. `memory` holds operand bits [place][lane]. Adds
/// the rows that are read, which padding is not, to `rows_read`. Throws DescriptorFault.
Streams walk_operands(const Geometry& geometry, const OperandWalk& walk,
                      const std::vector<std::uint32_t>& memory, std::int64_t streams,
                      std::int64_t chunk_rows, std::int64_t& rows_read);

}  // namespace td::sim
