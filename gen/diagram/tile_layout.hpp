// SPDX-License-Identifier: Apache-2.0
// Where the blocks of a tile stand in its picture: side B comes in from the left and feeds the tile
// rows, side A from above and feeds the columns.
#pragma once

#include <vector>

#include "base/configuration/config.hpp"
#include "gen/diagram/drawing.hpp"

namespace td {

class TileLayout {
 public:
  explicit TileLayout(const Config& config);

  /// Numbers of the rows and columns that are drawn; a -1 stands for those left out.
  std::vector<int> rows() const { return rows_; }
  std::vector<int> columns() const { return columns_; }

  Box intake() const;
  Box window_a(int column) const;
  Box window_b(int row) const;
  Box scheduler(int row) const;                 ///< not in a dense tile
  Box interconnect(int row) const;              ///< of side B; not in a dense tile
  Box multiplexers(int row, int column) const;  ///< a PE's, of side A; no width in a dense tile
  Box pe(int row, int column) const;
  Box array() const;  ///< around all PEs
  Box output() const;
  Box counters() const;
  Box sequencer() const;
  double control_x() const;  ///< of the wire that goes down beside the windows of side B

 private:
  double row_top(int row) const;
  double column_left(int column) const;
  double feed_right() const;  ///< of what stands in front of the PEs

  bool dense_;
  std::vector<int> rows_;
  std::vector<int> columns_;
};

}  // namespace td
