// SPDX-License-Identifier: Apache-2.0
// A dataflow once more, tile by tile and row by row: what the closed forms of sim/dataflow are
// compared with.
#pragma once

#include <cstdint>

#include "gen/configuration/config.hpp"
#include "sim/dataflow/dataflow.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::verify {

struct PlainDataflow {
  sim::DataflowCounts counts;
  std::int64_t partial_rows_read = 0;
  std::int64_t most_partial_rows = 0;  ///< in the result memories at once
  std::int64_t moving_blocks = 0;      ///< of all super-blocks
  bool tears_chunks = false;           ///< of wgrad: one has images of two parts
  std::int64_t cycles = 0;             ///< of the array; tiles of a wave end together
  std::int64_t tile_cycles = 0;        ///< of all tiles, without waiting
};

/// One operation. Passes are scheduled by the reference model's tile.
PlainDataflow plain_dataflow(const Config& config, const sim::OperandSource& source,
                             const sim::LayerInfo& layer, sim::Op op, sim::Which scheduled,
                             const sim::Dataflow& dataflow);

}  // namespace td::verify
