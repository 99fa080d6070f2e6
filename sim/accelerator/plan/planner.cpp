// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/planner.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/accelerator/model/walk_counts.hpp"

namespace td::sim {

/// An operation while it is added. Sides: 0 is the rows', 1 the lanes'.
struct Planner::Run {
  Run(const Operation& what, const Cut& how, const Placement& where, std::vector<Part> ordered)
      : operation(what),
        cut(how),
        placement(where),
        rows_on_b(how.rows_on_b(what)),
        parts(std::move(ordered)) {}

  const Operation& operation;
  const Cut& cut;
  const Placement& placement;
  bool rows_on_b;
  std::vector<Part> parts;
  std::size_t part = 0;               ///< the one that is computed
  std::size_t half[2] = {0, 0};       ///< where its boxes are
  bool ahead = false;                 ///< the next part's boxes were asked for
  std::vector<Area> areas;            ///< of the super
  std::vector<std::int64_t> stored;   ///< by slot of results: stores to be over before it is used
  std::vector<std::int64_t> storing;  ///< ... those that stand further behind
  std::size_t next_slot = 0;
  Queue<LoadDescriptor> loads;  ///< of the next part
  Queue<StoreDescriptor> stores;

  bool side_b(int side) const { return rows_on_b == (side == 0); }
  Operand operand(int side) const {
    return side == 0 ? operation.rows_operand() : operation.lanes_operand();
  }
};

namespace {

constexpr std::int64_t kComputesAtWork = 3;  // filled in, worked on, outputs on their way
constexpr std::int64_t kPieceRows = 64;      // of a piece, at least: it takes a descriptor

template <class Kind>
std::int64_t rows_of(const Kind& descriptor) {
  const MemoryWalk& memory = descriptor.memory;
  return std::int64_t{memory.planes} * memory.segments * memory.rows;
}

/// Streams of zeros.
OperandWalk zero_walk(const Geometry& geometry) {
  OperandWalk walk;
  walk.y_bound = 0;
  walk.x_bound = 0;
  walk.fan = walk.last_fan =
      static_cast<std::uint8_t>(std::min(geometry.fill_rows, geometry.lines));
  return walk;
}

}  // namespace

void Planner::add(const Operation& operation, const Cut& cut, const Placement& placement) {
  Run run(operation, cut, placement, list_parts(operation, cut));
  run.stored.assign(static_cast<std::size_t>(cut.areas), jobs_.progress().stores);
  run.storing.assign(run.stored.size(), 0);
  for (auto& halves : halves_) {
    for (Half& half : halves) half.valid = false;
  }
  for (; run.part < run.parts.size(); ++run.part) compute_part(run, run.part);
  for (const auto& store : run.stores.later) add_store(run, store);
}

/// Calls each(place, rows, lanes, sums of the part) for the subs of a part, in their order.
template <class Each>
void Planner::each_sub(const Run& run, const Part& part, Each each) {
  for (std::size_t block = part.first_block; block < part.first_block + part.blocks; ++block) {
    const Box rows = overlap(part.rows, whole(run.operation.rows(block)));
    const Box reduction = overlap(part.reduction, whole(run.operation.reduction(block)));
    for (const Box& sub : cut_box(rows, run.cut.row_sub)) {
      for (const Range& lanes : cut_range(part.lanes, run.cut.lane_sub)) {
        each(Place{part.group, block}, sub, lanes, reduction);
      }
    }
  }
}

/// Has a part's boxes in the operand memories. Their pieces come as computes need them. `ahead`:
/// while the part before is computed, and only if that is not in the way.
void Planner::acquire(Run& run, const Part& part, bool ahead) {
  Half* halves[2];
  for (int side = 0; side < 2; ++side) halves[side] = acquire_side(run, part, side, ahead);
  if (halves[0] == nullptr && halves[1] == nullptr) return;
  each_sub(run, part,
           [&](const Place& place, const Box& rows, const Range& lanes, const Box& sums) {
             for (const Box& chunk : cut_box(sums, run.cut.chunk)) {
               const TensorBox boxes[2] = {run.operation.rows_box(place, rows, chunk),
                                           run.operation.lanes_box(place, lanes, chunk)};
               for (int side = 0; side < 2; ++side) {
                 if (halves[side] != nullptr) load(run, *halves[side], boxes[side]);
               }
             }
           });
  for (int side = 0; side < 2; ++side) {
    if (halves[side] != nullptr) load(run, *halves[side], halves[side]->held.box);
  }
}

/// Where a box is to be. Null where it needs no loads.
Planner::Half* Planner::acquire_side(Run& run, const Part& part, int side, bool ahead) {
  HeldBox held = part.boxes[side];
  if (held.box.rows() == 0) return nullptr;
  Half(&halves)[2] = halves_[run.side_b(side) ? 1 : 0];
  const auto slots = static_cast<std::size_t>(run.cut.slots[side]);
  std::size_t slot = 0;
  while (slot < slots && !(halves[slot].valid && halves[slot].held.box == held.box)) ++slot;
  const bool there = slot < slots;
  if (!there) {
    slot = slots == 2 && halves[1].touched < halves[0].touched ? 1 : 0;
    const bool in_use = run.parts[run.part].boxes[side].box.rows() > 0 && run.half[side] == slot;
    if (ahead && in_use) return nullptr;
    const std::int64_t size = geometry_.operand_rows / run.cut.slots[side];
    if (held.box.rows() > size)
      throw std::logic_error("planner: a box is larger than was estimated");
    held.row = static_cast<std::int64_t>(slot) * size;
    Half& half = halves[slot];
    half.held = held;
    half.valid = true;
    half.free = slots == 1 ? std::max(halves[0].computes, halves[1].computes) : half.computes;
    half.pieces = pieces_of(run, side, held);
  }
  halves[slot].touched = ++touches_;
  if (!ahead) run.half[side] = slot;
  return there ? nullptr : &halves[slot];
}

/// A box in pieces along its outermost dimension: each lies behind the one before it.
std::vector<Planner::Piece> Planner::pieces_of(const Run& run, int side, HeldBox held) const {
  const TensorBox box = held.box;
  const Operand operand = run.operand(side);
  Range TensorBox::*along = box.outer.size() > 1 ? &TensorBox::outer : &TensorBox::x;
  const std::int64_t count = (box.*along).size();
  const std::int64_t most = std::clamp<std::int64_t>(box.rows() / kPieceRows, 1, kPieces);
  std::vector<Piece> pieces;
  for (const Range& range : cut_range(box.*along, ceil_div(count, std::min(count, most)))) {
    held.box.*along = range;
    pieces.push_back({held.box,
                      loads_of(run.operation.layout(operand),
                               run.placement.operands[static_cast<std::size_t>(operand)], held,
                               run.side_b(side)),
                      0});
    held.row += held.box.rows();
  }
  return pieces;
}

/// The pieces of a half that have some of these rows, unless they come already.
void Planner::load(Run& run, Half& half, const TensorBox& box) {
  for (Piece& piece : half.pieces) {
    if (!piece.has(box) || piece.loads.empty()) continue;
    for (const LoadDescriptor& load : piece.loads) {
      run.loads.later.push_back({load, half.free, rows_of(load), 0});
    }
    piece.loads.clear();
    piece.last = jobs_.progress().loads + static_cast<std::int64_t>(run.loads.later.size());
  }
}

/// Loads that have to be over before these rows are used.
std::int64_t Planner::Half::loads_for(const TensorBox& box) const {
  std::int64_t loads = 0;
  for (const Piece& piece : pieces) {
    if (piece.has(box)) loads = std::max(loads, piece.last);
  }
  return loads;
}

void Planner::compute_part(Run& run, std::size_t index) {
  const Part& part = run.parts[index];
  acquire(run, part, false);
  run.ahead = false;
  if (part.first) run.areas.clear();
  std::size_t area = 0;
  each_sub(run, part,
           [&](const Place& place, const Box& rows, const Range& lanes, const Box& sums) {
             if (area == run.areas.size()) {
               run.areas.push_back({run.next_slot, false});
               run.next_slot = (run.next_slot + 1) % run.stored.size();
             }
             SubResults results = {place, rows, lanes, run.cut.across, run.rows_on_b, 0};
             results.word = static_cast<std::int64_t>(run.areas[area].slot) * run.cut.area_words;
             compute_sub(run, results, sums, part.last, run.areas[area]);
             ++area;
           });
}

void Planner::compute_sub(Run& run, const SubResults& results, const Box& reduction, bool last,
                          Area& area) {
  for (const Box& chunk : cut_box(reduction, run.cut.chunk)) {
    compute_chunk(run, results, chunk, area);
  }
  if (!last) return;
  if (!area.begun) compute_chunk(run, results, Box{}, area);
  for (const StoreDescriptor& store :
       stores_of(run.operation, geometry_, run.placement.result, results)) {
    const std::int64_t clocks = rows_of(store);
    run.stores.later.push_back({store, jobs_.progress().computes, clocks, area.slot});
    ++run.storing[area.slot];
  }
}

void Planner::compute_chunk(Run& run, const SubResults& results, const Box& chunk, Area& area) {
  const Operation& operation = run.operation;
  const Part& part = run.parts[run.part];
  const Spread on = spread(geometry_, results.across, results.rows_on_b,
                           operation.row_streams(results.rows), results.lanes.size());
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
      half.computes = jobs_.progress().computes + 1;
      if (run.cut.slots[side] == 1) halves_[run.side_b(side) ? 1 : 0][1].computes = half.computes;
      const TensorBox box = side == 0 ? operation.rows_box(results.place, results.rows, chunk)
                                      : operation.lanes_box(results.place, results.lanes, chunk);
      waits.loads = std::max(waits.loads, half.loads_for(box));
    }
    walks[side].blocks =
        static_cast<std::uint16_t>(blocks_of(geometry_, walks[side], streams[side]));
  }
  if (!area.begun) {
    // Stores are in order: those of the slot, and all before them.
    while (run.storing[area.slot] > 0) {
      add_store(run, run.stores.later.front());
      run.stores.later.pop_front();
    }
    waits.stores = run.stored[area.slot];
  }
  while (jobs_.progress().loads < waits.loads) {
    add_load(run.loads.later.front());
    run.loads.later.pop_front();
  }
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
  compute.result_pitch = other_groups;
  compute.a = walks[results.rows_on_b ? 1 : 0];
  compute.b = walks[results.rows_on_b ? 0 : 1];
  jobs_.add(compute, waits);
  area.begun = true;
  if (!run.ahead && run.part + 1 < run.parts.size()) {
    run.ahead = true;
    acquire(run, run.parts[run.part + 1], true);
  }
  const std::int64_t steps = compute.dense ? chunk_rows : (chunk_rows + 1) / 2;
  const std::int64_t passes = on.row_groups * lane_groups * std::max(steps, geometry_.lines);
  const auto fill = [&](int side) {
    const OperandWalk& walk = walks[side];
    return streams[side] * chunk_rows * walk.levels[walk.fan_level()].count / fan_loop_rows(walk);
  };
  add_later(run, std::max({passes, fill(0), fill(1)}));
}

void Planner::add_load(const Later<LoadDescriptor>& load) {
  jobs_.add(load.descriptor, {0, load.computes, 0});
}

void Planner::add_store(Run& run, const Later<StoreDescriptor>& store) {
  jobs_.add(store.descriptor, {0, store.computes, 0});
  run.stored[store.slot] = jobs_.progress().stores;
  --run.storing[store.slot];
}

/// What may stand behind a compute that takes about so many clocks: nothing that waits for one of
/// the last three. The engine has these while a fourth one is held for it, and what waits between
/// them would hold up that fourth one.
void Planner::add_later(Run& run, std::int64_t clocks) {
  const std::int64_t over = jobs_.progress().computes - kComputesAtWork;
  const auto each = [&](auto& queue, auto add) {
    std::int64_t credit = clocks - queue.owed;
    while (!queue.later.empty() && credit > 0 && queue.later.front().computes <= over) {
      add(queue.later.front());
      credit -= queue.later.front().clocks;
      queue.later.pop_front();
    }
    queue.owed = std::max<std::int64_t>(0, -credit);
  };
  each(run.stores, [&](const auto& store) { add_store(run, store); });
  each(run.loads, [&](const auto& load) { add_load(load); });
}

}  // namespace td::sim
