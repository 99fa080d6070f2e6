// SPDX-License-Identifier: Apache-2.0
#include "sim/dataflow/super_blocks.hpp"

namespace td::sim {

std::vector<SuperBlock> super_blocks(const Mapping& mapping) {
  const BlockList& blocks = mapping.blocks();
  const bool is_wgrad = mapping.op() == Op::wgrad;
  std::vector<SuperBlock> result;
  for (const Block& block : blocks.pattern()) {
    if (block.rows() == 0) continue;
    const auto positions = static_cast<std::int64_t>(blocks.pattern().size());
    result.push_back({blocks.groups(), is_wgrad ? positions : blocks.images(), block.first_streams,
                      block.second_streams, block.segments, block.segment_rows, is_wgrad});
    if (is_wgrad) break;  // the others are its units
  }
  return result;
}

Groups groups(const SuperBlock& block, Which side, const Config& config, Which scheduled) {
  const std::int64_t lines = side == scheduled ? config.rows : config.columns;
  if (side == Which::first) return {lines, block.units, block.first_streams};
  return {lines, 1, block.second_streams};
}

Chunks chunks(const SuperBlock& block, std::int64_t most_rows) {
  if (most_rows == 0 || block.rows() <= most_rows) {
    return {1, block.segment_rows, block.segments, 1};
  }
  if (block.segment_rows <= most_rows) {
    const std::int64_t count = ceil_div(block.segments, most_rows / block.segment_rows);
    return {1, block.segment_rows, ceil_div(block.segments, count), count};
  }
  const std::int64_t piece_rows =
      ceil_div(block.segment_rows, ceil_div(block.segment_rows, most_rows));
  const std::int64_t pieces = ceil_div(block.segment_rows, piece_rows);
  return {pieces, piece_rows, 1, block.segments * pieces};
}

}  // namespace td::sim
