// SPDX-License-Identifier: Apache-2.0
// The cycle simulation once more, one group of streams after the other: what the fast one is
// compared with, in its results and in its speed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/cycles/op_cycles.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::verify {

/// One operation on an array of tiles.
struct PlainCycles {
  std::vector<std::int64_t> pass_cycles;  ///< in the order of the blocks and their passes
  sim::OpCycles cycles;
  std::int64_t scheduled_rows = 0;  ///< a row counts once for each time it is scheduled
};

/// One bit for every element of a tensor's slabs, after conversion to the format.
std::vector<bool> plain_nonzero(const sim::OperandSource& source, const sim::LayerInfo& layer,
                                sim::Operand operand, Format format);

/// `dense`: the sparse path is off.
PlainCycles plain_cycles(const Config& config, int tiles, const sim::OperandSource& source,
                         const sim::LayerInfo& layer, sim::Op op, sim::Which scheduled,
                         bool dense = false);

}  // namespace td::verify
