// SPDX-License-Identifier: Apache-2.0
// The mapping of one operation as tables: which element of a tensor every place of every stream
// takes, worked out once for a layer and used for every image of every step.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/mapping/mapping.hpp"
#include "sim/operator/step_kernel.hpp"

namespace td::sim {

/// Rows of indices, each of them once. An index counts from the tensor's image, or filter 0; -1 is
/// a filled-in zero. Row 0 is all of these.
struct IndexRows {
  std::int64_t width = 0;
  std::vector<std::int32_t> indices;  ///< [row][width]

  std::int64_t count() const { return static_cast<std::int64_t>(indices.size()) / width; }
  /// The width in whole vectors.
  std::int64_t stride() const { return ceil_div(width, kLaneVector) * kLaneVector; }
};

/// The streams of one side of a block, in terms of rows that it shares with the side's others:
/// windows of a convolution overlap, and kernel positions shift them.
struct StreamTable {
  std::int64_t streams = 0;
  std::int64_t rows = 0;
  std::int64_t elements = 0;  ///< of a stream: rows * lanes
  /// Scheduled: [stream][row], which of SideTables::lane_rows().
  std::vector<std::int32_t> lane_rows;
  /// As columns: [element + 1], where the element's row of the set begins, if rows are stride()
  /// long; the last is row 0.
  std::vector<std::int64_t> column_offsets;
  std::size_t column_set = 0;
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
  /// What streams of a side consist of, as wide as the lanes.
  const IndexRows& lane_rows(Which which) const { return lane_rows_[index(which)]; }
  /// The same, across the streams of a table: a set for each number of streams.
  const std::vector<IndexRows>& column_sets(Which which) const {
    return column_sets_[index(which)];
  }

  static constexpr std::size_t index(Which which) { return which == Which::first ? 0 : 1; }

 private:
  std::vector<TableBlock> blocks_;
  std::vector<StreamTable> tables_[2];
  IndexRows lane_rows_[2];
  std::vector<IndexRows> column_sets_[2];
};

}  // namespace td::sim
