// SPDX-License-Identifier: Apache-2.0
// What must hold for the mapping of every layer that is accepted.
#pragma once

#include "sim/mapping/layer.hpp"

namespace td::verify {

/// Walks the mapping's blocks and streams, as far as a bounded amount of work goes. Throws when an
/// index lies outside its tensor, or when an output is made twice or not at all.
void check_mapping(const sim::LayerInfo& layer, sim::Op op, int lanes);

}  // namespace td::verify
