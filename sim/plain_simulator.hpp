// SPDX-License-Identifier: Apache-2.0
// The plain simulation of an operation: one stream group after the other, one bit at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/config.hpp"
#include "sim/mapping.hpp"
#include "sim/op_cycles.hpp"

namespace td::sim {

/// Cycles of an operation whose passes are dealt to the tiles in turn. `first` and `second` are the
/// operands' bits, as from load_bits. Slow: a definition to compare with.
OpCycles simulate_plainly(const Mapping& mapping, const Config& config, std::int64_t tiles,
                          Which scheduled, const std::vector<std::uint32_t>& first,
                          const std::vector<std::uint32_t>& second);

}  // namespace td::sim
