// SPDX-License-Identifier: Apache-2.0
// The authors' simulator once more, from a description of what it counts: slow, plain, for tests.
#pragma once

#include "verify/authors/layer.hpp"
#include "verify/authors/rules.hpp"

namespace td::authors {

/// The cost of an operation on one tile. Throws UserError for layers that the authors' simulator
/// does not have.
Cost reference_cost(const Layer& layer, sim::Op op, const Tile& tile, const Rules& rules);

}  // namespace td::authors
