// SPDX-License-Identifier: Apache-2.0
// What the accelerator makes of a cut operation, in plain loops over the definition of the
// operation: no walks, descriptors or memories.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/accelerator/plan/cut.hpp"
#include "sim/mapping/layer.hpp"

namespace td::verify {

/// Bits of operands in the order of a tensor's shape.
using PlainTensor = std::vector<std::uint32_t>;

/// Bits of the binary32 results, in the order of the result's shape, before any conversion.
/// `first` and `second` are the operation's operands.
PlainTensor plain_accelerator(const Config& config, const sim::LayerInfo& layer, sim::Op op,
                              const sim::Cut& cut, const PlainTensor& first,
                              const PlainTensor& second);

}  // namespace td::verify
