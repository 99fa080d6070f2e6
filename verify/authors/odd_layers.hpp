// SPDX-License-Identifier: Apache-2.0
// Layers of kinds that the published figures lack, so that every rule makes a difference somewhere.
#pragma once

#include <vector>

#include "verify/authors/model/layer.hpp"

namespace td::authors {

/// Random operands in small layers: paddings that are not (R-1)/2, strides without a remainder and
/// beyond the kernel, images that are not square, weights with more zeros than gradients. The same
/// ones every time.
std::vector<Layer> odd_layers();

}  // namespace td::authors
