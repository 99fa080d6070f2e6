// SPDX-License-Identifier: Apache-2.0
// First layers have one or three channels, which would leave most lanes of a row empty: their
// kernels' columns lie in memory as channels. A host lays them out: no store makes such images.
#pragma once

#include <cstdint>

#include "sim/mapping/layer.hpp"

namespace td::sim {

/// Whether the accelerator takes the layer unrolled(): a convolution in one group whose input needs
/// no gradient, where windows then have fewer rows of so many lanes, and images no more.
bool is_unrolled(const LayerInfo& layer, std::int64_t lanes);

/// The same results and gradients of weights by a kernel of one column: for C channels, channel
/// i * C + c of an image at x is channel c at x * stride + i * dilation - padding, and of a filter
/// channel c of column i. The layer must be a convolution in one group.
LayerInfo unrolled(const LayerInfo& layer);

}  // namespace td::sim
