// SPDX-License-Identifier: Apache-2.0
// A layer with its operands: what the reference and tdsim's model both start from.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/format.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/trace/trace.hpp"

namespace td::authors {

/// The format of all operands here, and of the traces.
inline constexpr Format kFormat = Format::bf16;

/// One layer and the bits of its operands, row-major.
struct Layer {
  sim::LayerInfo info;
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> w;
  std::vector<std::uint32_t> go;

  const std::vector<std::uint32_t>& bits(sim::Operand operand) const {
    return operand == sim::Operand::A ? a : operand == sim::Operand::W ? w : go;
  }
};

/// Tile rows take the scheduled operand, tile columns the other. 16 lanes, depth 3.
struct Tile {
  int rows = 0;
  int columns = 0;
};

/// What an operation costs on one tile.
struct Cost {
  bool first = false;   ///< some image scheduled the operation's first operand
  bool second = false;  ///< some image scheduled its second
  std::int64_t dense_cycles = 0;
  std::int64_t cycles = 0;

  bool operator==(const Cost& other) const {
    return first == other.first && second == other.second && dense_cycles == other.dense_cycles &&
           cycles == other.cycles;
  }
  bool operator!=(const Cost& other) const { return !(*this == other); }
};

/// Reads the operands of one of the trace's layers. Throws UserError when it has no such layer.
Layer load_layer(const sim::Trace& trace, const sim::LayerInfo& info);

}  // namespace td::authors
