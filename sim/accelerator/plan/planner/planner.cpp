// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/planner/planner.hpp"

#include <algorithm>
#include <utility>

#include "sim/accelerator/model/compute_counts.hpp"
#include "sim/accelerator/model/walk_counts.hpp"
#include "sim/accelerator/plan/planner/planner_run.hpp"
#include "sim/trace/quantised_operands.hpp"

namespace td::sim {

namespace {

/// Streams of zeros.
OperandWalk zero_walk(const Geometry& geometry) {
  OperandWalk walk;
  walk.y_bound = 0;
  walk.x_bound = 0;
  walk.fan = walk.last_fan =
      static_cast<std::uint8_t>(std::min(geometry.fill_rows, geometry.lines));
  return walk;
}

/// Whether an operand of the operation is of E5M2: that of its rows, or that of its lanes.
bool of_e5m2(const Geometry& geometry, const Operation& operation, bool lanes) {
  const Operand operand = lanes ? operation.lanes_operand() : operation.rows_operand();
  return geometry.format == Format::fp8 && fp8_kind(operand) == Fp8::e5m2;
}

}  // namespace

std::vector<Job> Planner::add(const Operation& operation, const Cut& cut,
                              const Placement& placement, const Follower* next) {
  results_ = all_stores();
  early_ = std::exchange(ahead_, {});
  Run run(++operation_, operation, cut, placement, list_parts(operation, cut, kAllParts));
  std::optional<Run> follower;
  if (next != nullptr) {
    follower.emplace(operation_ + 1, next->operation, next->cut, next->placement,
                     list_parts(next->operation, next->cut, 1));
    follower->needs = next->needs;
    run.next = &*follower;
  }
  const auto slots = static_cast<std::size_t>(cut.areas);
  while (run.next_slot < slots && is_kept(run.words(run.next_slot))) ++run.next_slot;
  run.next_slot %= slots;
  for (; run.part < run.parts.size(); ++run.part) compute_part(run, run.part);
  end(run);
  return jobs_.take();
}

/// What else is in the jobs of an operation: loads for the next one that take about as long as the
/// stores that it waits for or, where it waits for none, as the last compute.
void Planner::end(Run& run) {
  const bool waited_for = run.next == nullptr || run.next->needs;
  std::int64_t clocks = waited_for ? 0 : last_clocks_;
  if (waited_for) {
    for (const auto& store : stores_.later) clocks += store.clocks;
  }
  if (run.next != nullptr) acquire_ahead(run, true);
  for (; !loads_.later.empty() && clocks > 0; add_load()) clocks -= loads_.later.front().clocks;
  const auto stays = [&](const auto& store) {
    return !waited_for && store.operation == run.number;
  };
  while (!stores_.later.empty() && !stays(stores_.later.front())) add_store();
}

Spread Planner::spread_of(const Run& run, const Box& rows, const Range& lanes) const {
  return spread(geometry_, run.cut.across, run.rows_on_b, run.operation.row_streams(rows),
                lanes.size());
}

void Planner::compute_part(Run& run, std::size_t index) {
  const Part& part = run.parts[index];
  acquire(run, part, false);
  set_computing(run);
  run.ahead = false;
  if (part.first) run.areas.clear();
  std::size_t area = 0;
  each_sub(run, part,
           [&](const Place& place, const Box& rows, const Range& lanes, const Box& sums) {
             if (run.has_enough()) return;
             if (area == run.areas.size()) {
               run.areas.push_back({run.next_slot, false});
               run.next_slot = (run.next_slot + 1) % static_cast<std::size_t>(run.cut.areas);
             }
             SubResults results = results_of(run, place, rows, lanes);
             results.word = static_cast<std::int64_t>(run.areas[area].slot) * run.cut.area_words;
             compute_sub(run, results, sums, part.last, run.areas[area]);
             ++area;
           });
}

/// Of a sub; the word is not set.
SubResults Planner::results_of(const Run& run, const Place& place, const Box& rows,
                               const Range& lanes) {
  return {place, rows, lanes, run.cut.across, run.rows_on_b, run.cut.pairs, run.cut.adds, 0};
}

/// Stores of results that are computed by what has been added.
void Planner::add_stores(Run& run, const SubResults& results) {
  for (const StoreDescriptor& store :
       stores_of(run.operation, geometry_, run.placement.result, results)) {
    stores_.later.push_back(
        {store, run.number, jobs_.progress().computes, 0, beats_of(geometry_, store)});
  }
  run.results += results.rows.size() * results.lanes.size();
}

void Planner::compute_sub(Run& run, const SubResults& results, const Box& reduction, bool last,
                          Area& area) {
  for (const Box& chunk : cut_box(reduction, run.cut.chunk)) {
    compute_chunk(run, results, chunk, area);
  }
  if (!last) return;
  if (!area.begun) compute_chunk(run, results, Box{}, area);
  add_stores(run, results);
  const Range words = run.words(area.slot);
  stored_[words.begin] = {words, all_stores()};
}

/// The side whose streams are those of the compute before: where both are, one of them.
std::uint8_t Planner::kept(const Run& run, const ComputeDescriptor& compute) {
  std::int64_t boxes[2] = {0, 0};
  for (int side = 0; side < 2; ++side) {
    const int at = run.side_b(side) ? 1 : 0;
    boxes[at] = halves_[at][run.half[side]].number;
  }
  const unsigned alike = jobs_.has_compute() ? alike_sides(compute, last_) : 0;
  const bool a = (alike & 1) != 0 && compute.a == last_.a && boxes[0] == last_boxes_[0];
  const bool b = (alike & 2) != 0 && compute.b == last_.b && boxes[1] == last_boxes_[1];
  last_ = compute;
  std::copy_n(boxes, 2, last_boxes_);
  return a ? 1 : b ? 2 : 0;
}

void Planner::compute_chunk(Run& run, const SubResults& results, const Box& chunk, Area& area) {
  const Operation& operation = run.operation;
  const Part& part = run.parts[run.part];
  const Spread on = spread_of(run, results.rows, results.lanes);
  const std::int64_t lane_groups = on.line_blocks * geometry_.block_words();
  const std::int64_t streams[2] = {on.row_lines * on.row_groups * geometry_.lines,
                                   on.lane_lines * lane_groups * geometry_.lines};
  const std::int64_t chunk_rows = std::max<std::int64_t>(1, operation.chunk_rows(chunk.extents()));
  DescriptorCounts waits;
  OperandWalk walks[2] = {zero_walk(geometry_), zero_walk(geometry_)};
  for (int side = 0; side < 2; ++side) {
    if (part.boxes[side].box.rows() > 0 && chunk.size() > 0) {
      Half& half = halves_[run.side_b(side) ? 1 : 0][run.half[side]];
      walks[side] = side == 0
                        ? operation.rows_walk(results.place, results.rows, chunk, half.held)
                        : operation.lanes_walk(results.place, results.lanes, chunk, half.held);
      const TensorBox box = side == 0 ? operation.rows_box(results.place, results.rows, chunk)
                                      : operation.lanes_box(results.place, results.lanes, chunk);
      waits.loads = std::max(waits.loads, half.loads_for(box));
    }
    walks[side].blocks =
        static_cast<std::uint16_t>(blocks_of(geometry_, walks[side], streams[side]));
  }
  if (!area.begun) waits.stores = stores_before(run.words(area.slot));
  while (jobs_.progress().loads < waits.loads) add_load();
  ComputeDescriptor compute;
  compute.dense = run.cut.options.dense;
  compute.lanes_on_b = !results.rows_on_b;
  compute.accumulate = area.begun;
  compute.across = static_cast<std::uint8_t>(results.across);
  compute.chunk_rows = static_cast<std::uint16_t>(chunk_rows);
  compute.group_pitch = static_cast<std::uint16_t>(ceil_div(chunk_rows, geometry_.depth));
  const auto row_groups = static_cast<std::uint16_t>(on.row_groups);
  const auto row_lines = static_cast<std::uint16_t>(on.row_lines);
  const auto other_groups = static_cast<std::uint16_t>(lane_groups);
  const auto lane_lines = static_cast<std::uint16_t>(on.lane_lines);
  compute.a_groups = results.rows_on_b ? other_groups : row_groups;
  compute.b_groups = results.rows_on_b ? row_groups : other_groups;
  compute.a_lines = results.rows_on_b ? lane_lines : row_lines;
  compute.b_lines = results.rows_on_b ? row_lines : lane_lines;
  compute.result_word = static_cast<std::uint16_t>(results.word);
  compute.result_pitch =
      static_cast<std::uint16_t>(geometry_.result_pitch(lane_groups, results.pairs));
  compute.a = walks[results.rows_on_b ? 1 : 0];
  compute.b = walks[results.rows_on_b ? 0 : 1];
  compute.keep = kept(run, compute);
  compute.a_e5m2 = of_e5m2(geometry_, operation, results.rows_on_b);
  compute.b_e5m2 = of_e5m2(geometry_, operation, !results.rows_on_b);
  for (int side = 0; side < 2; ++side) {
    const int at = run.side_b(side) ? 1 : 0;
    if (part.boxes[side].box.rows() == 0 || compute.keeps(at)) continue;
    halves_[at][run.half[side]].computes = jobs_.progress().computes + 1;
  }
  jobs_.add(compute, waits);
  run.pairs += pairs_of(compute);
  area.begun = true;
  const bool begins = !std::exchange(run.ahead, true);  // the part
  if (begins) {
    if (run.part + 1 < run.parts.size()) acquire(run, run.parts[run.part + 1], true);
    if (run.next != nullptr && needs_no_more(run)) acquire_ahead(run, false);
  }
  const std::int64_t steps = compute.dense ? chunk_rows : (chunk_rows + 1) / 2;
  const std::int64_t passes =
      on.row_groups * lane_groups * std::max(steps, geometry_.collect_clocks(compute.result_pitch));
  const auto fill = [&](int side) {
    const OperandWalk& walk = walks[side];
    return streams[side] * chunk_rows * walk.levels[walk.fan_level()].count / fan_loop_rows(walk);
  };
  last_clocks_ = std::max({passes, fill(0), fill(1)});
  if (begins) load_rate_ = load_rate(run);
  add_later(last_clocks_);
}

}  // namespace td::sim
