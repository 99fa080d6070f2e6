// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/estimate.hpp"

#include <algorithm>

#include "sim/accelerator/plan/packing.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t kPassesClocks = 4;  // what a compute takes besides its passes, about
constexpr std::int64_t kLoneFillClocks =
    6;  // ... besides a fill that no passes hide, and its fetch
constexpr std::int64_t kComputeBytes = 256;   // of a descriptor
constexpr std::int64_t kStoreClocks = 4;      // of a store besides its bursts
constexpr std::int64_t kMostStreams = 65535;  // that a walk can say
constexpr std::int64_t kMostWord = 65535;     // where results of a compute descriptor can begin

Extents at_least_one(Extents extents) {
  for (std::int64_t& extent : extents) extent = std::max<std::int64_t>(1, extent);
  return extents;
}

}  // namespace

Estimator::Estimator(const Operation& operation, const Geometry& geometry,
                     const ExpectedSteps& steps, const MemoryTiming& memory)
    : operation_(operation),
      geometry_(geometry),
      steps_(steps),
      memory_(memory),
      rows_(at_least_one(operation.most_rows())),
      reduction_(at_least_one(operation.most_reduction())),
      row_streams_(operation.row_streams(whole(rows_))),
      burst_clocks_(burst_clocks(geometry, memory)) {}

/// Clocks of both fills. A transposer hands out the last block while another would come in.
Fills Estimator::fills(const Cut& cut, std::int64_t row_streams, std::int64_t lane_streams) const {
  const std::int64_t chunk = operation_.chunk_rows(cut.chunk);
  const bool wgrad = operation_.op() == Op::wgrad;
  const bool lanes_turn = operation_.op() != Op::fwd;
  const std::int64_t rows = row_streams * chunk + (wgrad ? geometry_.lanes : 0);
  const std::int64_t lanes = lane_streams * chunk + (lanes_turn ? geometry_.lanes : 0);
  return {operation_.rows_clocks(rows, cut.row_sub, cut.chunk),
          operation_.lanes_clocks(lanes, cut.chunk)};
}

/// Clocks of the fills of a compute in the mean, where so many subs follow each other whose chunk
/// is all of their part: what the one before has, too, is kept.
std::int64_t Estimator::refill(const Fills& fills, const Subs& subs) const {
  const auto mean = [&](std::int64_t comes, std::int64_t times) {
    return comes + (fills.both() - comes) / times;
  };
  if (subs.lanes > 1) return mean(fills.lanes, subs.lanes);
  if (subs.rows > 1) return mean(fills.rows, subs.rows);
  const bool same = operation_.op() == Op::wgrad;  // the rows of all blocks
  return same ? mean(fills.lanes, subs.blocks) : fills.both();
}

/// The same at best: supers have all subs of either side, or of none.
std::int64_t Estimator::least_refill(const Cut& cut) const {
  const std::int64_t lanes = ceil_div(operation_.lane_blocks(), cut.lane_sub);
  const std::int64_t rows = pieces(rows_, cut.row_sub);
  const auto blocks = static_cast<std::int64_t>(operation_.blocks());
  return std::min({refill(cut.fills, {rows, lanes, blocks}), refill(cut.fills, {rows, 1, blocks}),
                   refill(cut.fills, {1, 1, blocks})});
}

/// Clocks of a compute.
std::int64_t Estimator::clocks_of(const Cut& cut, std::int64_t fill) const {
  return std::max(cut.pass_clocks, fill + kLoneFillClocks + kComputeBytes / geometry_.beat_bytes());
}

bool Estimator::computes(Cut& cut) const {
  const std::int64_t chunk = operation_.chunk_rows(cut.chunk);
  const std::int64_t most_groups =
      geometry_.bank_rows / geometry_.sets() / ceil_div(chunk, geometry_.depth);
  const Spread s =
      spread(geometry_, cut.across, cut.rows_on_b(operation_),
             std::min(row_streams_, volume(cut.row_sub) * operation_.row_unit()), cut.lane_sub);
  const std::int64_t lane_groups = s.line_blocks * geometry_.block_words();
  const std::int64_t row_streams = s.row_lines * s.row_groups * geometry_.lines;
  const std::int64_t lane_streams = s.lane_lines * s.line_blocks * geometry_.lanes;
  if (geometry_.set_groups(s.row_groups, s.row_lines) > most_groups ||
      geometry_.set_groups(lane_groups, s.lane_lines) > most_groups) {
    return false;
  }
  if (row_streams > kMostStreams || lane_streams > kMostStreams) return false;
  const double steps = steps_.mean(chunk);
  cut.pairs = geometry_.collect_words == 2 && steps < static_cast<double>(geometry_.lines);
  const std::int64_t pitch = geometry_.result_pitch(lane_groups, cut.pairs);
  cut.adds = pieces(reduction_, cut.chunk) > 1;
  cut.area_words = s.row_groups * geometry_.lines * pitch;
  cut.areas = std::min(geometry_.result_words, kMostWord + 1) / cut.area_words;
  if (cut.areas == 0) return false;
  cut.fills = fills(cut, row_streams, lane_streams);
  cut.estimate.store = stores(cut, s, pitch);
  const std::int64_t passes = s.row_groups * lane_groups;
  const auto stepped = static_cast<std::int64_t>(static_cast<double>(passes) * steps);
  const std::int64_t collected = passes * geometry_.collect_clocks(pitch);
  cut.pass_clocks = std::max(stepped, collected) + kPassesClocks;
  cut.computes = 0;
  for (std::size_t block = 0; block < operation_.blocks(); ++block) {
    const std::int64_t count =
        operation_.groups() *
        std::max<std::int64_t>(1, pieces(operation_.reduction(block), cut.chunk)) *
        pieces(operation_.rows(block), cut.row_sub) *
        ceil_div(operation_.lane_blocks(), cut.lane_sub);
    cut.computes += count;
  }
  cut.estimate.collect = cut.computes * collected;
  std::int64_t fill = cut.fills.both();
  if (cut.keeps) {
    fill = least_refill(cut);
    if (fill == cut.fills.both()) return false;
  }
  cut.estimate.compute = cut.computes * clocks_of(cut, fill);
  return true;
}

std::optional<Estimator::Supers> Estimator::supers(Cut& cut) const {
  Supers result{};
  result.boxes[0] = operation_.most_rows_box(cut.row_super, cut.part, cut.together);
  result.boxes[1] = operation_.most_lanes_box(cut.lane_super, cut.part, cut.together);
  for (int side = 0; side < 2; ++side) {
    const std::int64_t box_rows = result.boxes[side].rows();
    if (box_rows > geometry_.operand_rows) return std::nullopt;
    cut.slots[side] = 2 * box_rows <= geometry_.operand_rows ? 2 : 1;
  }
  const auto blocks = static_cast<std::int64_t>(operation_.blocks());
  result.parts = pieces(reduction_, cut.part);
  result.row_supers = pieces(rows_, cut.row_super);
  result.lane_supers = ceil_div(operation_.lane_blocks(), cut.lane_super);
  const Subs subs = {pieces(cut.row_super, cut.row_sub), ceil_div(cut.lane_super, cut.lane_sub),
                     cut.together ? blocks : 1};
  result.subs = subs.rows * subs.lanes * subs.blocks;
  result.refill = cut.keeps ? refill(cut.fills, subs) : cut.fills.both();
  if (result.parts > 1 && result.subs > cut.areas) return std::nullopt;
  result.loops = operation_.groups() * (cut.together ? 1 : blocks);
  result.count = result.loops * result.row_supers * result.lane_supers;
  return result;
}

Estimator::Loads Estimator::loads(const Cut& cut, const Supers& supers, int side) const {
  const std::int64_t of_side = side == 0 ? supers.row_supers : supers.lane_supers;
  const bool outer = cut.rows_outer == (side == 0);
  const bool kept = supers.parts == 1 && (outer || of_side <= cut.slots[side]);
  const bool row_blocks = side == 0 && operation_.op() == Op::wgrad;
  const bool lane_blocks = side == 1 && operation_.op() != Op::fwd;
  const std::int64_t blocks = row_blocks    ? cut.row_super[0]
                              : lane_blocks ? cut.lane_super
                                            : cut.part[0];
  const Operand operand = side == 0 ? operation_.rows_operand() : operation_.lanes_operand();
  const BoxSize& box = supers.boxes[side];
  const TensorLayout& tensor = operation_.layout(operand);
  return {kept ? supers.loops * of_side : supers.count * supers.parts,
          tensor.packed() == 0 ? in_bursts(box.rows(), blocks, operand) : in_blocks(box, tensor)};
}

/// Clocks of a load: rows lie behind each other where a part has all blocks of channels, and no
/// positions between are left out.
std::int64_t Estimator::in_bursts(std::int64_t rows, std::int64_t blocks, Operand operand) const {
  const TensorLayout& tensor = operation_.layout(operand);
  const bool whole_positions = blocks == tensor.blocks() && blocks == tensor.y_pitch();
  const std::int64_t beats = whole_positions
                                 ? ceil_div(rows, geometry_.beat_rows)
                                 : rows / blocks * ceil_div(blocks, geometry_.beat_rows);
  const std::int64_t clocks =
      whole_positions ? beats : std::max(beats, rows * (burst_clocks_ / blocks));
  return std::max(clocks, memory_.clocks_of(beats * geometry_.beat_bytes()));
}

/// Clocks of a load from packed blocks: of each that a run of rows is in, all of it comes, and rows
/// leave it from its first one on.
std::int64_t Estimator::in_blocks(const BoxSize& box, const TensorLayout& tensor) const {
  const BoxBlocks come = blocks_of(box, tensor);
  const std::int64_t beats = come.blocks * tensor.packed() / geometry_.beat_rows;
  const std::int64_t left =
      std::min(box.rows() + come.runs * kBlockRows / 2, come.blocks * kBlockRows);
  return std::max(
      {beats, left / geometry_.unpack_rows, memory_.clocks_of(beats * geometry_.beat_bytes())});
}

/// Clocks of all stores: a beat a clock, in bursts and descriptors, each of a tile's results that
/// lie evenly in memory.
std::int64_t Estimator::stores(const Cut& cut, const Spread& on, std::int64_t pitch) const {
  const std::int64_t rows = operation_.result_layout().rows();
  const std::int64_t streams =
      std::min(store_turn(geometry_, on, pitch, cut.adds), cut.row_sub[0] * operation_.row_unit());
  const bool whole_positions = on.line_blocks == operation_.result_layout().blocks();
  const std::int64_t bursts = whole_positions ? 1 : streams * burst_clocks_;
  const std::int64_t stored = streams * on.line_blocks;
  const std::int64_t beats = whole_positions
                                 ? ceil_div(stored, geometry_.beat_rows)
                                 : streams * ceil_div(on.line_blocks, geometry_.beat_rows);
  const std::int64_t stores = ceil_div(rows, stored);
  return std::max(stores * std::max(beats, bursts + kStoreClocks),
                  memory_.clocks_of(stores * beats * geometry_.beat_bytes()));
}

/// Clocks for which computes wait, when each part is loaded while the one before is computed.
std::int64_t Estimator::waits(const Loads (&sides)[2], std::int64_t part_clocks) {
  const Loads& few = sides[sides[0].count <= sides[1].count ? 0 : 1];
  const Loads& many = sides[sides[0].count <= sides[1].count ? 1 : 0];
  const auto beyond = [&](std::int64_t clocks) {
    return std::max<std::int64_t>(0, clocks - part_clocks);
  };
  return (few.count - 1) * beyond(few.clocks + many.clocks) +
         (many.count - few.count) * beyond(many.clocks);
}

void Estimator::total(Cut& cut, const Supers& supers) const {
  const Loads by_side[2] = {loads(cut, supers, 0), loads(cut, supers, 1)};
  Estimate& estimate = cut.estimate;
  estimate.compute = cut.computes * clocks_of(cut, supers.refill);
  estimate.load = by_side[0].count * by_side[0].clocks + by_side[1].count * by_side[1].clocks;
  estimate.parts = supers.count * supers.parts;
  estimate.lone_loads = 0;
  for (int side = 0; side < 2; ++side) {
    const std::int64_t count = by_side[side].count;
    if (cut.slots[side] == 2 || count == 1) continue;
    if (estimate.lone_loads == 0 || count < estimate.lone_loads) estimate.lone_loads = count;
  }
  const bool loads_overlap = estimate.lone_loads == 0;
  std::int64_t busy =
      estimate.compute +
      (loads_overlap ? waits(by_side, estimate.compute / estimate.parts) : estimate.load);
  // Collectors that add wait for the store engine: one tile at a time, and some of it is hidden.
  const std::int64_t held_up = estimate.store / std::max<std::int64_t>(1, geometry_.tiles / 4);
  if (cut.adds) busy = std::max(busy, estimate.collect + held_up);
  // Results of a super are stored while its last part is computed, and all of the next one.
  const std::int64_t part = busy / estimate.parts;
  const std::int64_t last =
      std::max(std::min(geometry_.tiles * cut.area_words / geometry_.block_words(), estimate.store),
               estimate.store / supers.count - part);
  const bool stores_overlap = cut.areas >= (supers.parts > 1 ? 2 * supers.subs : 2);
  const std::int64_t first = (supers.parts - 1) * part + part / supers.subs;
  busy = stores_overlap ? std::max(busy + last, first + estimate.store) : busy + estimate.store;
  // Nothing hides the first pieces and fill; the others come while the first part is computed.
  const std::int64_t loads = by_side[0].clocks + by_side[1].clocks;
  estimate.total = busy + std::max(loads / kPieces, loads - part) + cut.fills.both();
  // Of a memory that cannot move two beats in a clock, reads go first, and writes wait.
  if (memory_.clocks_of(2 * geometry_.beat_bytes()) > 1) {
    estimate.total = std::max(estimate.total, estimate.load + estimate.store);
  }
}

}  // namespace td::sim
