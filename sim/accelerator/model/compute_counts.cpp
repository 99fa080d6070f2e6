// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/compute_counts.hpp"

#include <algorithm>

#include "sim/accelerator/job_error.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

void check_compute(const Geometry& geometry, const ComputeDescriptor& d) {
  const std::int64_t bank_rows = ceil_div(d.chunk_rows, geometry.depth);
  const std::int64_t groups = std::max(geometry.set_groups(d.a_groups, d.a_lines),
                                       geometry.set_groups(d.b_groups, d.b_lines));
  const std::int64_t across = std::int64_t{1} << d.across;
  const std::int64_t result_rows = (d.lanes_on_b ? d.a_groups : d.b_groups) * geometry.lines;
  const std::int64_t row_words = d.lanes_on_b ? d.b_groups : d.a_groups;
  const std::int64_t last_word = d.result_word + (result_rows - 1) * d.result_pitch + row_words - 1;
  const bool legal =
      d.chunk_rows > 0 && d.a_groups > 0 && d.b_groups > 0 && d.a_lines > 0 && d.b_lines > 0 &&
      d.a_lines <= across && across <= geometry.tiles && d.b_lines <= geometry.tiles / across &&
      bank_rows <= d.group_pitch &&
      (groups - 1) * d.group_pitch + bank_rows <= geometry.bank_rows / geometry.sets() &&
      row_words <= d.result_pitch && last_word < geometry.result_words;
  if (!legal) throw DescriptorFault{ErrorCode::field};
}

unsigned alike_sides(const ComputeDescriptor& d, const ComputeDescriptor& before) {
  const bool rows = d.across == before.across && d.chunk_rows == before.chunk_rows &&
                    d.group_pitch == before.group_pitch;
  const bool a = rows && d.a_groups == before.a_groups && d.a_lines == before.a_lines;
  const bool b = rows && d.b_groups == before.b_groups && d.b_lines == before.b_lines;
  return (a ? 1U : 0U) | (b ? 2U : 0U);
}

std::int64_t streams_of(const Geometry& geometry, const ComputeDescriptor& d, int side) {
  return geometry.lines *
         (side == 0 ? std::int64_t{d.a_lines} * d.a_groups : std::int64_t{d.b_lines} * d.b_groups);
}

TileLines lines_of(const ComputeDescriptor& d, std::int64_t tile) {
  const std::int64_t b = tile >> d.across;
  return {tile - (b << d.across), b};
}

void count_compute(const Geometry& geometry, const ComputeDescriptor& d, ComputeCounts& counts) {
  // Side A's line goes to all tiles below each other, side B's to all beside each other.
  const std::int64_t across = std::int64_t{1} << d.across;
  for (int side = 0; side < 2; ++side) {
    if (d.keeps(side)) continue;
    const std::int64_t rows = streams_of(geometry, d, side) * d.chunk_rows;
    counts.scratchpad_rows_written += rows * (side == 0 ? geometry.tiles / across : across);
    if ((side == 0 ? d.a : d.b).transpose) counts.rows_transposed += rows;
  }
  const std::int64_t tiles = std::int64_t{d.a_lines} * d.b_lines;
  const std::int64_t passes = std::int64_t{d.a_groups} * d.b_groups;
  counts.passes += tiles * passes;
  counts.rows += tiles * passes * d.chunk_rows;
  // With each row that leaves a bank the next one is read; at first all banks are.
  counts.scratchpad_rows_read +=
      tiles * 2 * geometry.lines * (passes * d.chunk_rows + geometry.depth);
  counts.result_words_written += tiles * passes * geometry.lines;
  if (d.accumulate) counts.result_words_added_to += tiles * passes * geometry.lines;
}

}  // namespace td::sim
