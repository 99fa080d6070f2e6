// SPDX-License-Identifier: Apache-2.0
// What the operand memories hold, and when it is loaded.
#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "sim/accelerator/plan/planner/planner_run.hpp"

namespace td::sim {

namespace {

// Of a piece, at least: it takes a descriptor and, of packed tensors, all of the blocks at its
// edges.
constexpr std::int64_t kPieceRows = 64;
constexpr std::int64_t kPackedPieceRows = 3 * kBlockRows;

}  // namespace

/// Has a part's boxes in the operand memories. Their pieces come as computes need them. `ahead`:
/// while the part before is computed, and only if that is not in the way.
void Planner::acquire(Run& run, const Part& part, bool ahead) {
  Half* halves[2];
  for (int side = 0; side < 2; ++side) halves[side] = acquire_side(run, part, side, ahead);
  load_boxes(run, part, halves);
}

/// Whether the operand memories have all that later parts need. Marks where that is: it would be
/// loaded again.
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
    half.number = touches_ + 1;
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
  const TensorLayout& tensor = run.operation.layout(operand);
  const std::int64_t least = tensor.packed() > 0 ? kPackedPieceRows : kPieceRows;
  const std::int64_t most = std::clamp<std::int64_t>(box.rows() / least, 1, kPieces);
  std::vector<Piece> pieces;
  for (const Range& range : cut_range(box.*along, ceil_div(count, std::min(count, most)))) {
    held.box.*along = range;
    pieces.push_back({held.box,
                      loads_of(tensor, run.placement.operands[static_cast<std::size_t>(operand)],
                               held, run.side_b(side)),
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
      loads_.later.push_back({load, run.number, half.free, stores, beats_of(geometry_, load)});
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

}  // namespace td::sim
