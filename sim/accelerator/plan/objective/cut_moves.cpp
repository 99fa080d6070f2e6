// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/objective/cut_moves.hpp"

#include <algorithm>

#include "sim/accelerator/descriptor_fields.hpp"
#include "sim/accelerator/plan/estimate.hpp"
#include "sim/accelerator/plan/packing.hpp"

namespace td::sim {

namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

/// Places of windows that are inside of the tensor.
Range clipped(const Mapping::Axis& axis, const Range& windows, const Range& taps) {
  return overlap(Range{windows.begin * axis.step + axis.tap(taps.begin).offset,
                       (windows.end - 1) * axis.step + axis.tap(taps.end - 1).offset + 1},
                 Range{0, axis.extent});
}

/// Loads of a box: two dimensions of rows that do not lie behind each other fit into one, with the
/// blocks of a position.
std::int64_t loads_of_box(const TensorLayout& tensor, std::int64_t blocks, const Extents& size) {
  const std::int64_t pitches[] = {tensor.y_pitch(), tensor.x_pitch(), tensor.outer_pitch()};
  std::int64_t apart = 0, behind = blocks;
  for (std::size_t i = 0; i < 3; ++i) {
    if (size[i] == 1) continue;
    if (pitches[i] != behind) ++apart;
    behind = pitches[i] * size[i];
  }
  return apart > 2 ? size[2] : 1;
}

double moved_energy(const MovedBytes& bytes, const PlanCosts::Level& cost) {
  return number(bytes.read) * cost.read + number(bytes.written) * cost.written;
}

}  // namespace

CutMover::CutMover(const Operation& operation, const Geometry& geometry, const ExpectedSteps& steps)
    : operation_(operation),
      geometry_(geometry),
      steps_(steps),
      blocks_(static_cast<std::int64_t>(operation.blocks())),
      results_(0) {
  const Mapping& mapping = operation.mapping();
  for (const Block& block : mapping.blocks().pattern()) {
    for (int dimension = 0; dimension < 2; ++dimension) {
      const Mapping::Axis& axis = mapping.axis(block, dimension);
      const std::int64_t at = dimension == 0 ? block.y : block.x;
      std::vector<Line>& lines = lines_[dimension];
      if (at < static_cast<std::int64_t>(lines.size())) continue;
      const Range all = {0, static_cast<std::int64_t>(axis.taps.size())};
      lines.push_back({&axis, operation.op() == Op::wgrad ? Range{at, at + 1} : all});
    }
    useful_rows_ +=
        number(block.first_streams) * number(block.second_streams) * number(block.rows());
  }
  useful_rows_ *= number(mapping.blocks().groups() * mapping.blocks().images()) /
                  number(geometry.lines * geometry.lines);
  for (std::size_t block = 0; block < operation.blocks(); ++block) {
    results_ += operation.groups() * operation.lane_blocks() *
                operation.row_streams(whole(operation.rows(block)));
  }
  if (operation.op() == Op::wgrad) same_ = blocks_;
}

std::vector<CutMover::Kind> CutMover::kinds(std::int64_t extent, std::int64_t size) {
  std::vector<Kind> result;
  if (extent >= size) result.push_back({size, extent / size});
  if (extent % size > 0) result.push_back({extent % size, 1});
  return result;
}

/// Streams of a sub.
std::vector<CutMover::Kind> CutMover::row_kinds(std::size_t block, const Cut& cut) const {
  const Extents rows = operation_.rows(block);
  if (operation_.op() == Op::wgrad) {
    return kinds(operation_.row_streams(whole(rows)), cut.row_sub[0] * operation_.row_unit());
  }
  std::vector<Kind> result;
  for (const Kind& z : kinds(rows[2], cut.row_sub[2])) {
    for (const Kind& y : kinds(rows[1], cut.row_sub[1])) {
      for (const Kind& x : kinds(rows[0], cut.row_sub[0])) {
        result.push_back({x.size * y.size * z.size, x.count * y.count * z.count});
      }
    }
  }
  return result;
}

CutMover::Chunks CutMover::chunks(std::size_t block, const Cut& cut) const {
  const Extents sums = operation_.reduction(block);
  if (volume(sums) == 0) return {1, 1, 1};
  Chunks result;
  for (const Kind& z : kinds(sums[2], cut.chunk[2])) {
    for (const Kind& y : kinds(sums[1], cut.chunk[1])) {
      for (const Kind& x : kinds(sums[0], cut.chunk[0])) {
        const std::int64_t count = x.count * y.count * z.count;
        const std::int64_t rows = operation_.chunk_rows({x.size, y.size, z.size});
        result.count += count;
        result.rows += count * rows;
        result.steps += static_cast<std::int64_t>(number(count) * steps_.mean(rows));
      }
    }
  }
  return result;
}

/// Bytes of subs of a kind, but for what fills read.
void CutMover::add_sub(const Cut& cut, const Kind& rows, const Kind& lanes, const Chunks& chunks,
                       CutMoves& moves) const {
  const bool rows_on_b = cut.rows_on_b(operation_);
  const Spread on = spread(geometry_, cut.across, rows_on_b, rows.size, lanes.size);
  const std::int64_t beside = std::int64_t{1} << cut.across, above = geometry_.tiles / beside;
  const std::int64_t groups = on.line_blocks * geometry_.block_words();
  const std::int64_t subs = operation_.groups() * same_ * rows.count * lanes.count;
  const std::int64_t tiles = subs * on.row_lines * on.lane_lines;
  const std::int64_t passes = tiles * on.row_groups * groups;
  const std::int64_t in_tiles =
      geometry_.lines * (on.row_lines * on.row_groups * (rows_on_b ? beside : above) +
                         on.lane_lines * groups * (rows_on_b ? above : beside));
  const std::int64_t row = geometry_.row_bytes(), word = geometry_.lines * kResultBytes;
  moves.passes += passes * chunks.count;
  moves.rows += passes * chunks.rows;
  moves.steps += passes * chunks.steps;
  LevelBytes& levels = moves.levels;
  levels.scratchpads.written += subs * in_tiles * chunks.rows * row;
  levels.scratchpads.read +=
      2 * geometry_.lines * (passes * chunks.rows + tiles * geometry_.depth * chunks.count) * row;
  levels.results.written += passes * geometry_.lines * chunks.count * word;
  levels.results.read += passes * geometry_.lines * (chunks.count - 1) * word;
  const std::int64_t pitch = geometry_.result_pitch(groups, cut.pairs);
  const std::int64_t turns =
      ceil_div(on.row_groups * geometry_.lines, store_turn(geometry_, on, pitch, cut.adds));
  levels.off_chip.read += subs * chunks.count * compute::bytes + tiles * turns * store::bytes;
}

/// Pairs of windows and taps that are inside of the tensor.
std::int64_t CutMover::inside(std::size_t block) const {
  const Block& where = operation_.mapping().blocks().pattern()[block];
  std::int64_t found[2] = {0, 0};
  for (int dimension = 0; dimension < 2; ++dimension) {
    const Line& line =
        lines_[dimension][static_cast<std::size_t>(dimension == 0 ? where.y : where.x)];
    for (std::int64_t tap = line.taps.begin; tap < line.taps.end; ++tap) {
      for (std::int64_t window = 0; window < line.axis->windows; ++window) {
        const Range at = {window, window + 1};
        found[dimension] += clipped(*line.axis, at, {tap, tap + 1}).size();
      }
    }
  }
  return found[0] * found[1];
}

void CutMover::add_fills(std::size_t block, const Cut& cut, LevelBytes& levels) const {
  const Extents sums = operation_.reduction(block), rows = operation_.rows(block);
  const std::int64_t lanes = operation_.lane_blocks();
  const std::int64_t lane_subs = ceil_div(lanes, cut.lane_sub);
  const std::int64_t row_subs = pieces(rows, cut.row_sub);
  std::int64_t brought = 0;
  if (operation_.op() == Op::wgrad) {
    brought = rows[0] * volume(sums) * lane_subs + lanes * sums[2] * inside(block) * row_subs;
  } else {
    brought = sums[0] * rows[2] * inside(block) * lane_subs +
              lanes * geometry_.lanes * volume(sums) * row_subs;
  }
  levels.operands.read += operation_.groups() * brought * geometry_.row_bytes();
}

CutMoves CutMover::computes(const Cut& cut) const {
  CutMoves moves;
  const std::vector<Kind> lanes = kinds(operation_.lane_blocks(), cut.lane_sub);
  for (std::size_t block = 0; block < operation_.blocks(); ++block) {
    add_fills(block, cut, moves.levels);
    if (block > 0 && same_ > 1) continue;
    const Chunks summed = chunks(block, cut);
    for (const Kind& rows : row_kinds(block, cut)) {
      for (const Kind& some : lanes) add_sub(cut, rows, some, summed, moves);
    }
  }
  moves.levels.off_chip.written = results_ * operation_.result_layout().row_bytes();
  moves.levels.results.read += results_ * geometry_.lanes * kResultBytes;
  return moves;
}

/// Of all windows along a dimension, in pieces: places that the pieces have inside of the tensor.
std::int64_t CutMover::span(int dimension, std::int64_t windows, std::int64_t taps, bool together) {
  const auto [found, is_new] = spans_.try_emplace({dimension, windows, taps, together}, 0);
  if (!is_new) return found->second;
  std::int64_t most[2] = {0, 0};
  for (const Line& line : lines_[dimension]) {
    most[0] = std::max(most[0], line.axis->windows);
    most[1] = std::max(most[1], line.taps.size());
  }
  for (const Range& some : cut_range({0, most[0]}, windows)) {
    for (const Range& part : cut_range({0, most[1]}, taps)) {
      Range all;
      for (const Line& line : lines_[dimension]) {
        const Range there = overlap(some, Range{0, line.axis->windows});
        const Range summed =
            overlap(Range{line.taps.begin + part.begin, line.taps.begin + part.end}, line.taps);
        if (there.size() == 0 || summed.size() == 0) continue;
        const Range one = clipped(*line.axis, there, summed);
        all = hull(all, one);
        if (!together) found->second += one.size();
      }
      if (together) found->second += all.size();
    }
  }
  return found->second;
}

/// The same of the kernel's positions.
std::int64_t CutMover::kernel_span(int dimension, std::int64_t taps, bool together) const {
  std::int64_t sum = 0, most = 0;
  for (const Line& line : lines_[dimension]) most = std::max(most, line.taps.size());
  for (const Range& part : cut_range({0, most}, taps)) {
    Range all;
    for (const Line& line : lines_[dimension]) {
      const Range some = overlap(part, line.taps);
      if (some.size() == 0) continue;
      const std::int64_t first = line.axis->tap(some.begin).kernel;
      const std::int64_t last = line.axis->tap(some.end - 1).kernel;
      const Range one = {std::min(first, last), std::max(first, last) + 1};
      all = hull(all, one);
      if (!together) sum += one.size();
    }
    if (together) sum += all.size();
  }
  return sum;
}

CutMover::Boxes CutMover::rows_boxes(const Cut& cut) {
  const TensorLayout& tensor = operation_.layout(operation_.rows_operand());
  const Extents rows = operation_.most_rows(), sums = operation_.most_reduction();
  const std::int64_t parts = std::max<std::int64_t>(1, pieces(sums, cut.part));
  Boxes boxes = {0, pieces(rows, cut.row_super) * parts * (cut.together ? 1 : blocks_), 1};
  if (operation_.op() == Op::wgrad) {
    boxes.rows = rows[0] * volume(sums) * (cut.together ? 1 : blocks_);
    boxes.loads = loads_of_box(tensor, cut.row_super[0], cut.part);
    return boxes;
  }
  boxes.rows = sums[0] * rows[2] * span(0, cut.row_super[0], cut.part[1], cut.together) *
               span(1, cut.row_super[1], cut.part[2], cut.together);
  boxes.loads = loads_of_box(tensor, cut.part[0], cut.row_super);
  return boxes;
}

CutMover::Boxes CutMover::lanes_boxes(const Cut& cut) {
  const TensorLayout& tensor = operation_.layout(operation_.lanes_operand());
  const Extents sums = operation_.most_reduction();
  const std::int64_t lanes = operation_.lane_blocks();
  const std::int64_t parts = std::max<std::int64_t>(1, pieces(sums, cut.part));
  Boxes boxes = {0, ceil_div(lanes, cut.lane_super) * parts * (cut.together ? 1 : blocks_), 1};
  if (operation_.op() == Op::wgrad) {
    boxes.rows = lanes * sums[2] * span(0, cut.part[0], 1, cut.together) *
                 span(1, cut.part[1], 1, cut.together);
    boxes.loads = loads_of_box(tensor, cut.lane_super, cut.part);
    return boxes;
  }
  const bool forward = operation_.op() == Op::fwd;
  boxes.rows = lanes * geometry_.lanes * sums[0] * kernel_span(0, cut.part[1], cut.together) *
               kernel_span(1, cut.part[2], cut.together);
  const std::int64_t filters = (forward ? cut.lane_super : cut.part[0]) * geometry_.lanes;
  boxes.loads = loads_of_box(tensor, forward ? cut.part[0] : cut.lane_super,
                             {cut.part[1], cut.part[2], filters});
  return boxes;
}

/// What comes for so many bytes of a side's rows: whole beats, or packed blocks.
std::int64_t CutMover::bus_bytes(const Cut& cut, int side, std::int64_t bytes) const {
  const TensorLayout& tensor =
      operation_.layout(side == 0 ? operation_.rows_operand() : operation_.lanes_operand());
  if ((tensor.packed() == 0 && geometry_.beat_rows == 1) || bytes == 0) return bytes;
  const BoxSize box = side == 0 ? operation_.most_rows_box(cut.row_super, cut.part, cut.together)
                                : operation_.most_lanes_box(cut.lane_super, cut.part, cut.together);
  const BoxBlocks some = blocks_of(box, tensor);
  const std::int64_t beats = some.runs * ceil_div(box.rows() / some.runs, geometry_.beat_rows);
  const std::int64_t come =
      tensor.packed() == 0 ? beats * geometry_.beat_rows : some.blocks * tensor.packed();
  return static_cast<std::int64_t>(number(bytes) * number(come) / number(box.rows()));
}

void CutMover::add_loads(const Cut& cut, CutMoves& moves) {
  const std::int64_t parts =
      std::max<std::int64_t>(1, pieces(operation_.most_reduction(), cut.part));
  const std::int64_t supers[2] = {pieces(operation_.most_rows(), cut.row_super),
                                  ceil_div(operation_.lane_blocks(), cut.lane_super)};
  for (int side = 0; side < 2; ++side) {
    const Boxes boxes = side == 0 ? rows_boxes(cut) : lanes_boxes(cut);
    const bool outer = cut.rows_outer == (side == 0);
    // What comes again and again while the other side's super or the outer one changes.
    const std::int64_t turn = outer ? parts : supers[side] * parts;
    std::int64_t times = operation_.groups();
    if (turn > cut.slots[side]) times *= supers[1 - side];
    // The gradients of wgrad are the same for all kernel positions.
    const bool shared = side == 0 && same_ > 1 && !cut.together;
    const std::int64_t by =
        shared && supers[side] * parts <= cut.slots[side] ? same_ : std::int64_t{1};
    const std::int64_t bytes = boxes.rows / by * times * geometry_.row_bytes();
    moves.levels.off_chip.read +=
        bus_bytes(cut, side, bytes) + boxes.count / by * times * boxes.loads * load::bytes;
    moves.levels.operands.written += bytes;
  }
}

double CutMover::energy(const Cut& cut, const CutMoves& moves, std::int64_t clocks,
                        const PlanCosts& costs) const {
  const LevelBytes& levels = moves.levels;
  const PlanCosts::Tile& tile = cut.options.dense ? costs.dense : costs.dropping;
  return moved_energy(levels.off_chip, costs.off_chip) +
         moved_energy(levels.operands, costs.operands) +
         moved_energy(levels.scratchpads, costs.scratchpads) +
         moved_energy(levels.results, costs.results) + number(clocks) * costs.clock +
         number(moves.passes) * tile.pass + number(moves.rows) * tile.row +
         number(moves.steps) * tile.step + useful_rows_ * (1 - cut.options.zeros) * tile.pairs;
}

}  // namespace td::sim
