// SPDX-License-Identifier: Apache-2.0
// The begin of an operation: what plans are tried by.
#include <cstddef>
#include <cstdint>
#include <variant>

#include "sim/accelerator/plan/planner/planner_run.hpp"

namespace td::sim {

namespace {

/// Of an operation: blocks of lanes of result rows.
std::int64_t all_results(const Operation& operation) {
  std::int64_t rows = 0;
  for (std::size_t block = 0; block < operation.blocks(); ++block) {
    rows += volume(operation.rows(block));
  }
  return operation.groups() * operation.lane_blocks() * rows;
}

}  // namespace

std::int64_t pairs_of(const ComputeDescriptor& compute) {
  return std::int64_t{compute.a_groups} * compute.b_groups * compute.chunk_rows;
}

JobsBegin Planner::begin(const Operation& operation, const Cut& cut, const Placement& placement,
                         double share) {
  Run run(++operation_, operation, cut, placement, list_parts(operation, cut, kAllParts));
  JobsBegin begin;
  begin.pairs = run.all_pairs = pairs(run);
  run.most_pairs = share * static_cast<double>(begin.pairs);
  for (; run.part < run.parts.size(); ++run.part) {
    if (run.has_enough()) {
      bring(run);
    } else {
      compute_part(run, run.part);
    }
  }
  begin.all = run.pairs == begin.pairs;
  if (begin.all) end(run);
  begin.jobs = jobs_.take();
  for (const Job& job : begin.jobs) {
    for (const Descriptor& descriptor : job) {
      if (const auto* load = std::get_if<LoadDescriptor>(&descriptor)) {
        begin.loaded += beats_of(geometry_, *load);
      } else if (const auto* store = std::get_if<StoreDescriptor>(&descriptor)) {
        begin.stored += beats_of(geometry_, *store);
      }
    }
  }
  for (const auto& load : loads_.later) begin.loaded += load.clocks;
  for (const auto& store : stores_.later) begin.stored += store.clocks;
  const std::int64_t all = all_results(operation);
  begin.stored = begin.stored * all / run.results;
  return begin;
}

/// Pairs that each tile takes for all computes of an operation.
std::int64_t Planner::pairs(const Run& run) const {
  std::int64_t sum = 0;
  for (const Part& part : run.parts) {
    each_sub(run, part,
             [&](const Place& place, const Box& rows, const Range& lanes, const Box& sums) {
               const Spread on = spread_of(run, rows, lanes);
               std::int64_t chunk_rows = 0;
               for (const Box& chunk : cut_box(sums, run.cut.chunk)) {
                 chunk_rows += run.operation.chunk_rows(chunk.extents());
               }
               // Where there is nothing to sum, zeros are summed.
               if (volume(run.operation.reduction(place.block)) == 0 && part.last) chunk_rows = 1;
               sum += on.row_groups * on.line_blocks * geometry_.block_words() * chunk_rows;
             });
  }
  return sum;
}

/// A part's boxes, all of them, though nothing is computed; and stores, if these are the first.
void Planner::bring(Run& run) {
  const Part& part = run.parts[run.part];
  for (int side = 0; side < 2; ++side) {
    Half* const half = acquire_side(run, part, side, false);
    if (half != nullptr) load(run, *half, half->held.box);
  }
  if (!part.last) return;
  each_sub(run, part, [&](const Place& place, const Box& rows, const Range& lanes, const Box&) {
    if (run.results == 0) add_stores(run, results_of(run, place, rows, lanes));
  });
}

}  // namespace td::sim
