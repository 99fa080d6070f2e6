// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/planner.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "sim/accelerator/model/walk_counts.hpp"

namespace td::sim {

/// An operation while it is added. Sides: 0 is the rows', 1 the lanes'.
struct Planner::Run {
  Run(std::int64_t which, const Operation& what, const Cut& how, const Placement& where,
      std::vector<Part> ordered)
      : number(which),
        operation(what),
        cut(how),
        placement(where),
        rows_on_b(how.rows_on_b(what)),
        parts(std::move(ordered)) {}

  std::int64_t number;
  const Operation& operation;
  const Cut& cut;
  const Placement& placement;
  bool rows_on_b;
  std::vector<Part> parts;
  std::size_t part = 0;          ///< the one that is computed
  std::size_t half[2] = {0, 0};  ///< where its boxes are
  bool ahead = false;            ///< the next part's boxes were asked for
  std::vector<Area> areas;       ///< of the super
  std::size_t next_slot = 0;
  Run* next = nullptr;           ///< its first part, if another operation follows
  std::optional<Operand> needs;  ///< its operand that is made of the results before it

  bool side_b(int side) const { return rows_on_b == (side == 0); }
  Operand operand(int side) const {
    return side == 0 ? operation.rows_operand() : operation.lanes_operand();
  }
  Range words(std::size_t slot) const {
    const auto begin = static_cast<std::int64_t>(slot) * cut.area_words;
    return {begin, begin + cut.area_words};
  }
};

namespace {

constexpr std::int64_t kComputesAtWork = 3;  // filled in, worked on, outputs on their way
constexpr std::size_t kAllParts = static_cast<std::size_t>(-1);
constexpr std::int64_t kPieceRows = 64;  // of a piece, at least: it takes a descriptor

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

/// What else is in the jobs of an operation.
void Planner::end(Run& run) {
  const bool waited_for = run.next == nullptr || run.next->needs;
  std::int64_t clocks = 0;
  for (const auto& store : stores_.later) clocks += store.clocks;
  if (run.next != nullptr) acquire_ahead(run, true);
  if (waited_for) {
    for (; !loads_.later.empty() && clocks > 0; add_load()) clocks -= loads_.later.front().clocks;
  }
  const auto stays = [&](const auto& store) {
    return !waited_for && store.operation == run.number;
  };
  while (!stores_.later.empty() && !stays(stores_.later.front())) add_store();
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
  load_boxes(run, part, halves);
}

/// Whether the operand memories have all that later parts need. Marks where that is.
bool Planner::needs_no_more(const Run& run) {
  for (std::size_t i = run.parts.size(); --i > run.part;) {
    for (int side = 0; side < 2; ++side) {
      const TensorBox& box = run.parts[i].boxes[side].box;
      if (box.rows() == 0) continue;
      Half(&halves)[2] = halves_[run.side_b(side) ? 1 : 0];
      Half* const half = std::find_if(std::begin(halves), std::end(halves), [&](const Half& one) {
        return one.operation == run.number && one.held.box == box;
      });
      if (half == std::end(halves)) return false;
      half->computing = true;
    }
  }
  return true;
}

/// The same for the first part of the next operation: where what is still computed is not in the
/// way, or once all computes are added.
void Planner::acquire_ahead(Run& run, bool computed) {
  Run& next = *run.next;
  const Part& part = next.parts.front();
  Half* halves[2] = {nullptr, nullptr};
  for (int side = 0; side < 2; ++side) {
    if (next.needs == next.operand(side)) continue;
    halves[side] = acquire_side(next, part, side, !computed);
  }
  load_boxes(next, part, halves);
}

/// Loads what these have of the part, in the order in which computes need it.
void Planner::load_boxes(const Run& run, const Part& part, Half* const (&halves)[2]) {
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

/// The rows of an operand memory in which a box lies, however it is interleaved.
Range Planner::rows_in(const HeldBox& held) const {
  const std::int64_t block = geometry_.fill_rows << held.interleave;
  return {held.row, held.row + ceil_div(held.box.rows(), block) * block};
}

/// Where a box is to be. Null where it needs no loads, or is to come ahead and cannot.
Planner::Half* Planner::acquire_side(Run& run, const Part& part, int side, bool ahead) {
  HeldBox held = part.boxes[side];
  if (held.box.rows() == 0) return nullptr;
  Half(&halves)[2] = halves_[run.side_b(side) ? 1 : 0];
  const auto slots = static_cast<std::size_t>(run.cut.slots[side]);
  const auto holds = [&](const Half& half) {
    return half.operation == run.number && half.held.box == held.box;
  };
  std::size_t slot = 0;
  while (slot < slots && !holds(halves[slot])) ++slot;
  const bool there = slot < slots;
  if (!there) {
    slot = slots == 2 && halves[1].touched < halves[0].touched ? 1 : 0;
    const std::int64_t size = geometry_.operand_rows / run.cut.slots[side];
    if (held.box.rows() > size)
      throw std::logic_error("planner: a box is larger than was estimated");
    held.row = static_cast<std::int64_t>(slot) * size;
    const Range rows = rows_in(held);
    const auto shares = [&](const Half& half) { return overlap(half.rows, rows).size() > 0; };
    if (ahead && std::any_of(std::begin(halves), std::end(halves),
                             [&](const Half& half) { return half.computing && shares(half); })) {
      return nullptr;
    }
    Half& half = halves[slot];
    half.free = 0;
    for (const Half& other : halves) {
      if (shares(other)) half.free = std::max(half.free, other.computes);
    }
    half.held = held;
    half.rows = rows;
    half.operation = run.number;
    half.pieces = pieces_of(run, side, held);
  }
  halves[slot].touched = ++touches_;
  if (!ahead) run.half[side] = slot;
  return there ? nullptr : &halves[slot];
}

/// Marks what the part that is computed needs.
void Planner::set_computing(const Run& run) {
  for (int side = 0; side < 2; ++side) {
    Half(&halves)[2] = halves_[run.side_b(side) ? 1 : 0];
    for (Half& half : halves) half.computing = false;
    halves[run.half[side]].computing = run.parts[run.part].boxes[side].box.rows() > 0;
  }
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

/// The pieces of a half that have some of these rows, unless they come already. What comes ahead
/// for the next operation waits until the results of all but this one are in memory.
void Planner::load(const Run& run, Half& half, const TensorBox& box) {
  const std::int64_t stores = run.number == operation_ ? 0 : results_;
  for (Piece& piece : half.pieces) {
    if (!piece.has(box) || piece.loads.empty()) continue;
    for (const LoadDescriptor& load : piece.loads) {
      loads_.later.push_back({load, run.number, half.free, stores, rows_of(load)});
    }
    piece.loads.clear();
    piece.last = jobs_.progress().loads + static_cast<std::int64_t>(loads_.later.size());
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
  set_computing(run);
  run.ahead = false;
  if (part.first) run.areas.clear();
  std::size_t area = 0;
  each_sub(run, part,
           [&](const Place& place, const Box& rows, const Range& lanes, const Box& sums) {
             if (area == run.areas.size()) {
               run.areas.push_back({run.next_slot, false});
               run.next_slot = (run.next_slot + 1) % static_cast<std::size_t>(run.cut.areas);
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
    stores_.later.push_back({store, run.number, jobs_.progress().computes, 0, rows_of(store)});
  }
  const Range words = run.words(area.slot);
  stored_[words.begin] = {words, all_stores()};
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
  compute.result_pitch = other_groups;
  compute.a = walks[results.rows_on_b ? 1 : 0];
  compute.b = walks[results.rows_on_b ? 0 : 1];
  jobs_.add(compute, waits);
  area.begun = true;
  if (!std::exchange(run.ahead, true)) {
    if (run.part + 1 < run.parts.size()) acquire(run, run.parts[run.part + 1], true);
    if (run.next != nullptr && needs_no_more(run)) acquire_ahead(run, false);
  }
  const std::int64_t steps = compute.dense ? chunk_rows : (chunk_rows + 1) / 2;
  const std::int64_t passes = on.row_groups * lane_groups * std::max(steps, geometry_.lines);
  const auto fill = [&](int side) {
    const OperandWalk& walk = walks[side];
    return streams[side] * chunk_rows * walk.levels[walk.fan_level()].count / fan_loop_rows(walk);
  };
  add_later(std::max({passes, fill(0), fill(1)}));
}

void Planner::add_load() {
  const Later<LoadDescriptor> load = loads_.later.front();
  loads_.later.pop_front();
  while (jobs_.progress().stores < load.stores) add_store();
  jobs_.add(load.descriptor, {0, load.computes, load.stores});
  if (load.operation != operation_) ahead_.push_back(load.descriptor);
}

void Planner::add_store() {
  const Later<StoreDescriptor> store = stores_.later.front();
  stores_.later.pop_front();
  jobs_.add(store.descriptor, {0, store.computes, 0});
}

std::int64_t Planner::all_stores() const {
  return jobs_.progress().stores + static_cast<std::int64_t>(stores_.later.size());
}

/// The first and behind the last of what was computed there. None of them overlap.
std::pair<Planner::Results::const_iterator, Planner::Results::const_iterator> Planner::results_in(
    const Range& words) const {
  auto first = stored_.lower_bound(words.begin);
  if (first != stored_.begin() && std::prev(first)->second.words.end > words.begin) --first;
  return {first, stored_.lower_bound(words.end)};
}

/// Whether results there are still to be stored by a descriptor that stands further behind.
bool Planner::is_kept(const Range& words) const {
  const auto [first, end] = results_in(words);
  return std::any_of(first, end,
                     [&](const auto& one) { return one.second.stores > jobs_.progress().stores; });
}

/// Stores that have to be over before these words are written: those that stand further behind now
/// are added, with all before them. Computes are in order: what one waits for, the next need not.
std::int64_t Planner::stores_before(const Range& words) {
  const auto [first, end] = results_in(words);
  std::int64_t stores = 0;
  for (auto one = first; one != end; ++one) stores = std::max(stores, one->second.stores);
  stored_.erase(first, end);
  while (jobs_.progress().stores < stores) add_store();
  return stores;
}

/// What may stand behind a compute that takes about so many clocks: nothing that waits for one of
/// the last three. The engine has these while a fourth one is held for it, and what waits between
/// them would hold up that fourth one.
void Planner::add_later(std::int64_t clocks) {
  const std::int64_t over = jobs_.progress().computes - kComputesAtWork;
  const auto may = [&](const auto& one) {
    return one.computes <= over || one.operation < operation_;
  };
  const auto each = [&](auto& queue, auto add) {
    std::int64_t credit = clocks - queue.owed;
    while (!queue.later.empty() && credit > 0 && may(queue.later.front())) {
      credit -= queue.later.front().clocks;
      add();
    }
    queue.owed = std::max<std::int64_t>(0, -credit);
  };
  each(stores_, [&] { add_store(); });
  each(loads_, [&] { add_load(); });
}

}  // namespace td::sim
