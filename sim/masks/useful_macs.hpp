// SPDX-License-Identifier: Apache-2.0
// Pairs of an operation of which neither operand is zero, counted without walking its streams.
#pragma once

#include <cstdint>

#include "base/configuration/format.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// Of all outputs of the operation together: the multiplications that no hardware can do without.
/// Exact, whatever the mapping, since it does not depend on it. Runs on the threads of the caller's
/// arena. Throws UserError when the layer contradicts itself.
std::int64_t useful_macs(const OperandSource& source, const LayerInfo& layer, Op op, Format format);

}  // namespace td::sim
