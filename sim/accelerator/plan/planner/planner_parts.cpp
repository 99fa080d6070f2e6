// SPDX-License-Identifier: Apache-2.0
// The parts of an operation, in their order.
#include <algorithm>
#include <vector>

#include "sim/accelerator/model/operand_banks.hpp"
#include "sim/accelerator/plan/planner/planner.hpp"

namespace td::sim {

namespace {

TensorBox hull(const TensorBox& a, const TensorBox& b) {
  return {hull(a.block, b.block), hull(a.y, b.y), hull(a.x, b.x), hull(a.outer, b.outer)};
}

}  // namespace

/// Boxes of a part are interleaved as the walks of its first compute want them.
void Planner::interleave(const Operation& operation, const Cut& cut, Part& part) const {
  const auto first_of = [](const Box& box, const Extents& extents, const Extents& size) {
    const std::vector<Box> pieces = cut_box(overlap(box, whole(extents)), size);
    return pieces.empty() ? Box{} : pieces.front();
  };
  for (std::size_t block = part.first_block; block < part.first_block + part.blocks; ++block) {
    const Place place = {part.group, block};
    const Box rows = first_of(part.rows, operation.rows(block), cut.row_sub);
    const Box sums = first_of(part.reduction, operation.reduction(block), cut.chunk);
    if (rows.size() == 0 || sums.size() == 0) continue;
    const std::int64_t steps[2] = {
        operation.rows_walk(place, rows, sums, part.boxes[0]).fan_row_step,
        operation.lanes_walk(place, part.lanes, sums, part.boxes[1]).fan_row_step};
    for (int side = 0; side < 2; ++side) {
      const std::int64_t apart = power_in(steps[side]);
      const std::int64_t size = geometry_.operand_rows / cut.slots[side];
      const bool fits = apart > 0 && apart * geometry_.fill_rows <= size;
      part.boxes[side].interleave = fits ? log2_of(apart) : 0;
    }
    return;
  }
}

/// In the order in which they are computed, `most` at most.
std::vector<Planner::Part> Planner::list_parts(const Operation& operation, const Cut& cut,
                                               std::size_t most) const {
  const std::vector<Box> supers = cut_box(whole(operation.most_rows()), cut.row_super);
  const std::vector<Range> lanes = cut_range({0, operation.lane_blocks()}, cut.lane_super);
  std::vector<Box> sums = cut_box(whole(operation.most_reduction()), cut.part);
  if (sums.empty()) sums.emplace_back();  // nothing to sum: the results are zero
  const std::size_t together = cut.together ? operation.blocks() : 1;
  std::vector<Part> parts;
  const auto add = [&](std::int64_t group, std::size_t block, const Box& rows, const Range& some) {
    for (std::size_t i = 0; i < sums.size() && parts.size() < most; ++i) {
      parts.push_back(
          {group, block, together, rows, some, sums[i], i == 0, i + 1 == sums.size(), {}});
      Part& part = parts.back();
      for (std::size_t k = block; k < block + together; ++k) {
        const Place place = {group, k};
        const Box there = overlap(rows, whole(operation.rows(k)));
        const Box summed = overlap(sums[i], whole(operation.reduction(k)));
        if (there.size() == 0 || summed.size() == 0) continue;
        TensorBox& rows_box = part.boxes[0].box;
        TensorBox& lanes_box = part.boxes[1].box;
        rows_box = hull(rows_box, operation.rows_box(place, there, summed));
        lanes_box = hull(lanes_box, operation.lanes_box(place, some, summed));
      }
      interleave(operation, cut, part);
    }
  };
  for (std::int64_t group = 0; group < operation.groups(); ++group) {
    for (std::size_t block = 0; block < operation.blocks(); block += together) {
      for (std::size_t i = 0; i < supers.size() * lanes.size(); ++i) {
        const std::size_t row = cut.rows_outer ? i / lanes.size() : i % supers.size();
        const std::size_t lane = cut.rows_outer ? i % lanes.size() : i / supers.size();
        add(group, block, supers[row], lanes[lane]);
      }
    }
  }
  return parts;
}

}  // namespace td::sim
