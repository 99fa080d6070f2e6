// SPDX-License-Identifier: Apache-2.0
// Which operands are worth packing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/layout.hpp"
#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

/// Packed blocks that come for a box, about: for each run of rows behind each other those that it
/// is in, wherever it begins.
struct BoxBlocks {
  std::int64_t runs;
  std::int64_t blocks;
};
BoxBlocks blocks_of(const BoxSize& box, const TensorLayout& tensor);

/// An operation of a layer, and what is asked of its plans.
struct AskedOf {
  Op op;
  PlanOptions options;
};

/// Of operands whose packed blocks would take `packed` rows, about (by Operand; 0: they are not
/// shorter than raw), those with which the layer's operations cost dense tiles and TensorDash less
/// together, by estimates, all others raw. The rest become 0. Of a packed block all comes, however
/// few of its rows are wanted: it is not worth packing what comes in short runs. Throws CannotPlan.
std::array<std::int64_t, 3> worth_packing(const Config& config, const LayerInfo& layer,
                                          const std::vector<AskedOf>& ops, const Aim& aim,
                                          const MemoryTiming& memory,
                                          std::array<std::int64_t, 3> packed);

}  // namespace td::sim
