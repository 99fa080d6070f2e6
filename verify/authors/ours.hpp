// SPDX-License-Identifier: Apache-2.0
// What tdsim's own model says that an operation costs: the other side of the comparison.
#pragma once

#include "verify/authors/model/layer.hpp"

namespace td::authors {

/// Cost on one tile of 16 lanes and depth 3, pattern `step_first`. The only part of the comparison
/// that uses the model: mapping, choice of the operand, scheduler.
Cost tdsim_cost(const Layer& layer, sim::Op op, const Tile& tile);

}  // namespace td::authors
