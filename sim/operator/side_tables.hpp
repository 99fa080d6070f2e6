// SPDX-License-Identifier: Apache-2.0
// The mapping of one operation as tables: which element of a tensor every place of every stream
// takes, worked out once for a layer and used for every image of every step.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

/// The streams of one side of a block. An index counts from the tensor's image, or filter 0; -1 is
/// a filled-in zero.
struct StreamTable {
  std::int64_t streams = 0;
  std::int64_t rows = 0;
  std::int64_t elements = 0;             ///< of a stream: rows * lanes
  std::vector<std::int32_t> by_stream;   ///< [stream][element]
  std::vector<std::int32_t> by_element;  ///< [element][stream]
};

/// A block: its tables, and where its outputs lie.
struct TableBlock {
  std::size_t tables[2] = {0, 0};  ///< of Which::first and Which::second
  std::int64_t rows = 0;           ///< of a stream, for one image; 0: the outputs are +0
  /// The output of streams i and j is at outputs[0][i] + outputs[1][j] of the image's results.
  std::vector<std::int64_t> outputs[2];
};

/// The blocks of an operation on one image, and the different tables among their sides. (The kernel
/// positions of a weight gradient share the streams of GO, for example.)
class SideTables {
 public:
  /// `layer` as it is mapped: of a convolution, only the first image is. Throws UserError when the
  /// layer contradicts itself, or has a tensor of 2^31 elements or more to an image.
  SideTables(const LayerInfo& layer, Op op, int lanes);

  const std::vector<TableBlock>& blocks() const { return blocks_; }
  const std::vector<StreamTable>& tables(Which which) const { return tables_[index(which)]; }

  static constexpr std::size_t index(Which which) { return which == Which::first ? 0 : 1; }

 private:
  std::size_t add_table(StreamTable table, std::size_t side);

  std::vector<TableBlock> blocks_;
  std::vector<StreamTable> tables_[2];
};

}  // namespace td::sim
