// SPDX-License-Identifier: Apache-2.0
// The fewest clocks that an operation's bytes can take on the bus.
#pragma once

#include <array>
#include <cstdint>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/energy/level_bytes.hpp"
#include "sim/accelerator/packed.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

/// Elements of an operand that take part in the operation's products: without what strides step
/// over, and what only meets padding.
std::int64_t used_elements(const LayerInfo& layer, Operand operand);

/// Beats of both operands, and of the result: each element that is used moves once, and none else.
/// `wide`: results are binary32. `packed`: how operands lie, by Operand.
MovedBytes least_beats(const Geometry& geometry, const LayerInfo& layer, Op op, bool wide,
                       const std::array<PackedBlocks, 3>& packed);

}  // namespace td::sim
