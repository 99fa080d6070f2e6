// SPDX-License-Identifier: Apache-2.0
// The walks of an operation: which rows of the boxes in the operand memories become streams.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sim/accelerator/plan/operation.hpp"

namespace td::sim {

namespace {

std::int64_t tap_step(const Mapping::Axis& axis) {
  return axis.taps.size() < 2 ? 0 : axis.taps[1].offset - axis.taps[0].offset;
}

std::int64_t kernel_step(const Mapping::Axis& axis) {
  return axis.taps.size() < 2 ? 0 : axis.taps[1].kernel - axis.taps[0].kernel;
}

/// A place in a tensor, or a distance.
struct Spot {
  std::int64_t block = 0;
  std::int64_t y = 0;
  std::int64_t x = 0;
  std::int64_t outer = 0;
};

Spot operator+(const Spot& a, const Spot& b) {
  return {a.block + b.block, a.y + b.y, a.x + b.x, a.outer + b.outer};
}

Spot operator*(const Spot& spot, std::int64_t times) {
  return {spot.block * times, spot.y * times, spot.x * times, spot.outer * times};
}

/// A loop whose steps do not return the loops inside of it.
struct Loop {
  std::int64_t count = 1;
  Spot step;
};
using Loops = std::vector<Loop>;  // the innermost first

std::int64_t first_count(const Extents& counts) {
  const auto* more = std::find_if(counts.begin(), counts.end(), [](auto n) { return n > 1; });
  return more == counts.end() ? 1 : *more;
}

/// A walk through a box: what its loops do to the row follows from what they do to the place.
class WalkDraft {
 public:
  WalkDraft(const HeldBox& held, const Spot& start) : held_(held), start_(start) {
    const TensorBox& box = held.box;
    const Spot from = {start.block - box.block.begin, start.y - box.y.begin, start.x - box.x.begin,
                       start.outer - box.outer.begin};
    walk_.row = static_cast<std::uint32_t>(held.row + distance(from));
    walk_.interleave = static_cast<std::uint8_t>(held.interleave);
  }

  /// Rows outside of the tensor are zero. One that is higher than positions can say has no padding
  /// (see Operation::check): all its rows are inside.
  WalkDraft& bound(std::int64_t height, std::int64_t width) {
    bounded_ = true;
    y_bounded_ = height <= kMostPosition;
    walk_.y = static_cast<std::int16_t>(y_bounded_ ? start_.y : 0);
    walk_.x = static_cast<std::int16_t>(start_.x);
    walk_.y_bound = static_cast<std::uint16_t>(y_bounded_ ? height : 1);
    walk_.x_bound = static_cast<std::uint16_t>(width);
    return *this;
  }

  WalkDraft& transpose() {
    walk_.transpose = true;
    return *this;
  }

  /// Up to `fill_rows` neighbours come in a clock: streams, or rows of a block that is transposed.
  OperandWalk loops(Loops inner, Loops outer, std::int64_t fill_rows) {
    for (Loops* loops : {&inner, &outer}) {
      loops->erase(std::remove_if(loops->begin(), loops->end(),
                                  [](const Loop& loop) { return loop.count == 1; }),
                   loops->end());
    }
    Loops& together = walk_.transpose ? inner : outer;
    if (fill_rows > 1 && !together.empty()) fan(together.front(), fill_rows);
    Spot back;  // what the loops inside have moved when they end
    set_levels(inner, 0, back);
    set_levels(outer, kInnerLevels, back);
    return walk_;
  }

 private:
  static constexpr std::size_t kInnerLevels = 3;
  static constexpr std::int64_t kMostCount = 65535;  // of a loop

  void fan(Loop& loop, std::int64_t fill_rows) {
    const std::int64_t rows = distance(loop.step);
    walk_.fan_row_step = static_cast<std::int32_t>(rows);
    if (bounded_) {
      walk_.fan_y_step = static_cast<std::int16_t>(y_bounded_ ? loop.step.y : 0);
      walk_.fan_x_step = static_cast<std::int16_t>(loop.step.x);
    }
    if (power_in(rows) != std::int64_t{1} << held_.interleave) return;
    const std::int64_t together = std::min(loop.count, fill_rows);
    const std::int64_t steps = ceil_div(loop.count, together);
    walk_.fan = static_cast<std::uint8_t>(together);
    walk_.last_fan = static_cast<std::uint8_t>(loop.count - (steps - 1) * together);
    loop.count = steps;
    loop.step = loop.step * together;
  }

  void set_levels(const Loops& loops, std::size_t first, Spot& back) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
      const Spot& step = loops[i].step;
      WalkLevel& level = walk_.levels[first + i];
      if (loops[i].count > kMostCount) throw std::logic_error("planner: a loop is too long");
      level.count = static_cast<std::uint16_t>(loops[i].count);
      level.row_step = static_cast<std::int32_t>(distance(step) - distance(back));
      if (bounded_) {
        level.y_step = static_cast<std::int16_t>(y_bounded_ ? step.y - back.y : 0);
        level.x_step = static_cast<std::int16_t>(step.x - back.x);
      }
      back = back + step * (loops[i].count - 1);
    }
  }

  std::int64_t distance(const Spot& spot) const {
    const TensorBox& box = held_.box;
    const std::int64_t column = spot.outer * box.x.size() + spot.x;
    return (column * box.y.size() + spot.y) * box.block.size() + spot.block;
  }

  const HeldBox& held_;
  Spot start_;
  bool bounded_ = false;
  bool y_bounded_ = false;
  OperandWalk walk_;
};

}  // namespace

OperandWalk Operation::rows_walk(const Place& place, const Box& rows, const Box& reduction,
                                 const HeldBox& held) const {
  if (op() == Op::wgrad) return position_walk(place, rows.sides[0], reduction, held, false);
  return window_walk(place, rows, reduction, held);
}

OperandWalk Operation::lanes_walk(const Place& place, const Range& lanes, const Box& reduction,
                                  const HeldBox& held) const {
  if (op() == Op::wgrad) return position_walk(place, lanes, reduction, held, true);
  return filter_walk(place, lanes, reduction, held);
}

/// Blocks, then the kernel; windows one after the other.
OperandWalk Operation::window_walk(const Place& place, const Box& rows, const Box& reduction,
                                   const HeldBox& held) const {
  const Mapping::Axis& down = axis(place.block, 0);
  const Mapping::Axis& across = axis(place.block, 1);
  const std::int64_t base = place.group * (op() == Op::fwd ? channel_blocks_ : filter_blocks_);
  const Extents sums = reduction.extents();
  const Extents windows = rows.extents();
  const Spot start = {
      base + reduction.sides[0].begin,
      rows.sides[0].begin * down.step + down.tap(reduction.sides[1].begin).offset,
      rows.sides[1].begin * across.step + across.tap(reduction.sides[2].begin).offset,
      rows.sides[2].begin};
  return WalkDraft(held, start)
      .bound(down.extent, across.extent)
      .loops({{sums[0], {1, 0, 0, 0}},
              {sums[1], {0, tap_step(down), 0, 0}},
              {sums[2], {0, 0, tap_step(across), 0}}},
             {{windows[0], {0, down.step, 0, 0}},
              {windows[1], {0, 0, across.step, 0}},
              {windows[2], {0, 0, 0, 1}}},
             fill_rows_);
}

/// fwd: a filter is a stream. dgrad: a channel is one, across the filters.
OperandWalk Operation::filter_walk(const Place& place, const Range& lanes, const Box& reduction,
                                   const HeldBox& held) const {
  const Mapping::Axis& down = axis(place.block, 0);
  const Mapping::Axis& across = axis(place.block, 1);
  const bool forward = op() == Op::fwd;
  const Extents sums = reduction.extents();
  const Range filters = forward ? lanes : reduction.sides[0];
  const Range channels = forward ? reduction.sides[0] : lanes;
  const Spot start = {channels.begin, down.tap(reduction.sides[1].begin).kernel,
                      across.tap(reduction.sides[2].begin).kernel,
                      (place.group * filter_blocks_ + filters.begin) * lanes_};
  const Loop blocks = {channels.size(), {1, 0, 0, 0}};
  const Loop across_filters = {filters.size() * lanes_, {0, 0, 0, 1}};
  const Loop taps_y = {sums[1], {0, kernel_step(down), 0, 0}};
  const Loop taps_x = {sums[2], {0, 0, kernel_step(across), 0}};
  WalkDraft draft(held, start);
  if (forward) return draft.loops({blocks, taps_y, taps_x}, {across_filters}, fill_rows_);
  return draft.transpose().loops({across_filters, taps_y, taps_x}, {blocks}, fill_rows_);
}

/// wgrad: a channel or filter is a stream, across positions and images.
OperandWalk Operation::position_walk(const Place& place, const Range& blocks, const Box& reduction,
                                     const HeldBox& held, bool sampled) const {
  const TensorLayout& tensor = layout(sampled ? Operand::A : Operand::GO);
  std::int64_t stride[2] = {1, 1};
  std::int64_t offset[2] = {0, 0};
  for (int dimension = 0; sampled && dimension < 2; ++dimension) {
    stride[dimension] = conv_.stride[dimension];
    offset[dimension] = tap_offset(place.block, dimension);
  }
  const std::int64_t base = place.group * (sampled ? channel_blocks_ : filter_blocks_);
  const Extents sums = reduction.extents();
  const Spot start = {base + blocks.begin, reduction.sides[0].begin * stride[0] + offset[0],
                      reduction.sides[1].begin * stride[1] + offset[1], reduction.sides[2].begin};
  return WalkDraft(held, start)
      .bound(tensor.height(), tensor.width())
      .transpose()
      .loops({{sums[0], {0, stride[0], 0, 0}},
              {sums[1], {0, 0, stride[1], 0}},
              {sums[2], {0, 0, 0, 1}}},
             {{blocks.size(), {1, 0, 0, 0}}}, fill_rows_);
}

std::int64_t Operation::rows_clocks(std::int64_t brought, const Extents& rows,
                                    const Extents& reduction) const {
  const std::int64_t count = first_count(op() == Op::wgrad ? reduction : rows);
  return brought * ceil_div(count, fill_rows_) / count;
}

std::int64_t Operation::lanes_clocks(std::int64_t brought, const Extents& reduction) const {
  const std::int64_t count = op() == Op::wgrad ? first_count(reduction) : lanes_;
  return brought * ceil_div(count, fill_rows_) / count;
}

}  // namespace td::sim
