// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/support/error.hpp"
#include "sim/accelerator/unrolled_layer.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t kMostPitch = 0xffffffff;

constexpr std::int64_t kBurstCut = 1;     // clocks from a burst to the next one
constexpr std::int64_t kBurstRound = 12;  // ... besides the latency, until one takes its place

/// Of every so many lines and columns of the input the operation reads one. Of a kernel of one
/// position, windows that are apart leave out what is between them: columns, whose lines lie behind
/// each other, always, lines where bursts of a position take less than all lines.
std::array<std::int64_t, 2> read_of(const LayerInfo& layer, Op op, const Geometry& geometry,
                                    const MemoryTiming& memory) {
  std::array<std::int64_t, 2> every = {1, 1};
  if (layer.type != LayerType::conv2d || layer.is_transposed || op == Op::dgrad) return every;
  for (std::size_t i = 0; i < 2; ++i) {
    if (layer.w[2 + i] == 1 && layer.conv.padding[i] == 0) every[i] = layer.conv.stride[i];
  }
  const std::int64_t rows = layer.conv.groups * ceil_div(layer.w[1], geometry.lanes);
  const std::int64_t burst =
      std::max(burst_clocks(geometry, memory), ceil_div(rows, geometry.beat_rows));
  if (burst * geometry.beat_rows >= every[0] * rows) every[0] = 1;
  return every;
}

/// The layer as if there were no others.
LayerInfo thinned(const LayerInfo& layer, const std::array<std::int64_t, 2>& every) {
  LayerInfo result = layer;
  for (std::size_t i = 0; i < 2; ++i) {
    if (every[i] == 1) continue;
    result.a[2 + i] = ceil_div(layer.a[2 + i], every[i]);
    result.conv.stride[i] = 1;
  }
  return result;
}

LayerInfo stored(const LayerInfo& layer, const Geometry& geometry) {
  return is_unrolled(layer, geometry.lanes) ? unrolled(layer) : layer;
}

}  // namespace

std::int64_t burst_clocks(const Geometry& geometry, const MemoryTiming& memory) {
  return std::max(kBurstCut, (kBurstRound + memory.latency) / geometry.outstanding);
}

Operation::Operation(const LayerInfo& layer, Op op, const Geometry& geometry, bool wide_results,
                     const MemoryTiming& memory)
    : Operation(layer, stored(layer, geometry),
                read_of(stored(layer, geometry), op, geometry, memory), op, geometry,
                wide_results) {}

/// `stored`: the layer as it lies in memory. `every`: see read_of().
Operation::Operation(const LayerInfo& layer, const LayerInfo& stored,
                     std::array<std::int64_t, 2> every, Op op, const Geometry& geometry,
                     bool wide_results)
    : mapping_(thinned(stored, every), op, static_cast<int>(geometry.lanes)),
      conv_(thinned(stored, every).conv),
      lanes_(geometry.lanes),
      fill_rows_(geometry.fill_rows),
      groups_(stored.conv.groups),
      images_(stored.type == LayerType::conv2d ? stored.a[0] : 1),
      filters_(stored.w[0] / groups_),
      filter_blocks_(ceil_div(filters_, lanes_)),
      channel_blocks_(ceil_div(stored.w[1], lanes_)),
      lane_blocks_(op == Op::fwd ? filter_blocks_ : channel_blocks_),
      layouts_{TensorLayout(layer, Operand::A, geometry), TensorLayout(layer, Operand::W, geometry),
               TensorLayout(layer, Operand::GO, geometry)},
      result_(layer, result_like(op), geometry, wide_results || geometry.wide_only()) {
  layouts_[static_cast<std::size_t>(Operand::A)].thin(every[0], every[1]);
  check(layer);
}

void Operation::check(const LayerInfo& layer) const {
  const std::string field = fmt::format("{}/{}", path(layer), to_string(op()));
  // The batch of a linear layer is a height of any size: it has no padding.
  const int first = layer.type == LayerType::linear ? 1 : 0;
  for (std::size_t block = 0; block < blocks(); ++block) {
    for (int dimension = first; dimension < 2; ++dimension) {
      const std::int64_t taps = static_cast<std::int64_t>(axis(block, dimension).taps.size());
      const Range windows = {0, axis(block, dimension).windows};
      if (taps == 0) continue;
      const Range span = window_span(block, dimension, windows, {0, taps});
      if (span.begin < -kMostPosition || span.end > kMostPosition) {
        throw CannotPlan("accelerator", field, fmt::format("{}..{}", span.begin, span.end),
                         fmt::format("positions of -{0}..{0}", kMostPosition));
      }
    }
  }
  for (const TensorLayout* layout : {&layouts_[0], &layouts_[1], &layouts_[2], &result_}) {
    const std::int64_t most =
        first == 1 ? layout->width() : std::max(layout->height(), layout->width());
    if (most > kMostPosition) {
      throw CannotPlan("accelerator", field, fmt::format("{}", most),
                       fmt::format("heights and widths of 1..{}", kMostPosition));
    }
    // The largest between neighbours: of the outermost dimension that has any.
    const std::int64_t pitch = layout->row_bytes() * (layout->outer() > 1   ? layout->outer_pitch()
                                                      : layout->width() > 1 ? layout->x_pitch()
                                                                            : layout->y_pitch());
    if (pitch > kMostPitch) {
      throw CannotPlan("accelerator", field, fmt::format("{}", pitch),
                       fmt::format("images and filters of up to {} bytes", kMostPitch));
    }
  }
}

const Mapping::Axis& Operation::axis(std::size_t block, int dimension) const {
  return mapping_.axis(mapping_.blocks().pattern()[block], dimension);
}

/// wgrad: how far the kernel position is from the window's.
std::int64_t Operation::tap_offset(std::size_t block, int dimension) const {
  const Block& position = mapping_.blocks().pattern()[block];
  return axis(block, dimension).tap(dimension == 0 ? position.y : position.x).offset;
}

Operand Operation::lanes_operand() const {
  return operand(op(), rows_which() == Which::first ? Which::second : Which::first);
}

Extents Operation::rows(std::size_t block) const {
  if (op() == Op::wgrad) return {filter_blocks_, 1, 1};
  return {axis(block, 0).windows, axis(block, 1).windows, images_};
}

Extents Operation::reduction(std::size_t block) const {
  const TensorLayout& gradients = layout(Operand::GO);
  if (op() == Op::wgrad) return {gradients.height(), gradients.width(), images_};
  return {op() == Op::fwd ? channel_blocks_ : filter_blocks_,
          static_cast<std::int64_t>(axis(block, 0).taps.size()),
          static_cast<std::int64_t>(axis(block, 1).taps.size())};
}

Extents Operation::most_rows() const {
  Extents most = {0, 0, 0};
  for (std::size_t block = 0; block < blocks(); ++block) {
    for (std::size_t i = 0; i < 3; ++i) most[i] = std::max(most[i], rows(block)[i]);
  }
  return most;
}

Extents Operation::most_reduction() const {
  Extents most = {0, 0, 0};
  for (std::size_t block = 0; block < blocks(); ++block) {
    for (std::size_t i = 0; i < 3; ++i) most[i] = std::max(most[i], reduction(block)[i]);
  }
  return most;
}

std::int64_t Operation::chunk_rows(const Extents& reduction) const {
  return op() == Op::wgrad ? ceil_div(volume(reduction), lanes_) : volume(reduction);
}

std::int64_t Operation::row_streams(const Box& rows) const {
  if (op() != Op::wgrad) return rows.size();
  return overlap(Range{rows.sides[0].begin * lanes_, rows.sides[0].end * lanes_},
                 Range{0, filters_})
      .size();
}

/// Where windows lie in the operand, padding included.
Range Operation::window_span(std::size_t block, int dimension, const Range& windows,
                             const Range& taps) const {
  const Mapping::Axis& along = axis(block, dimension);
  return {windows.begin * along.step + along.tap(taps.begin).offset,
          (windows.end - 1) * along.step + along.tap(taps.end - 1).offset + 1};
}

Range Operation::kernel_span(std::size_t block, int dimension, const Range& taps) const {
  const std::int64_t first = axis(block, dimension).tap(taps.begin).kernel;
  const std::int64_t last = axis(block, dimension).tap(taps.end - 1).kernel;
  return {std::min(first, last), std::max(first, last) + 1};
}

/// The largest span of so many windows or, `of_kernel`, of their kernel positions.
std::int64_t Operation::most_span(int dimension, std::int64_t windows, std::int64_t taps,
                                  bool together, bool of_kernel) const {
  Range all;
  std::int64_t most = 0;
  for (std::size_t block = 0; block < blocks(); ++block) {
    const auto there = static_cast<std::int64_t>(axis(block, dimension).taps.size());
    if (there == 0) continue;
    // Parts of several blocks' taps need not lie at the same place.
    const Range some = {0, together && blocks() > 1 ? there : std::min(taps, there)};
    const Range span = of_kernel ? kernel_span(block, dimension, some)
                                 : window_span(block, dimension, {0, windows}, some);
    all = hull(all, span);
    most = std::max(most, span.size());
  }
  return together ? all.size() : most;
}

BoxSize Operation::most_rows_box(const Extents& rows, const Extents& reduction,
                                 bool together) const {
  if (op() == Op::wgrad) return {rows[0], reduction[0], reduction[1], reduction[2]};
  const TensorLayout& tensor = layout(rows_operand());
  return {reduction[0],
          std::min(tensor.height(), most_span(0, rows[0], reduction[1], together, false)),
          std::min(tensor.width(), most_span(1, rows[1], reduction[2], together, false)), rows[2]};
}

BoxSize Operation::most_lanes_box(std::int64_t lanes, const Extents& reduction,
                                  bool together) const {
  if (op() == Op::wgrad) {
    const TensorLayout& tensor = layout(Operand::A);
    const auto span = [&](int dimension) {
      const std::int64_t taps = static_cast<std::int64_t>(axis(0, dimension).taps.size());
      const std::int64_t windows = reduction[static_cast<std::size_t>(dimension)];
      return most_span(dimension, windows, together ? taps : 1, false, false);
    };
    return {lanes, std::min(tensor.height(), span(0)), std::min(tensor.width(), span(1)),
            reduction[2]};
  }
  const bool forward = op() == Op::fwd;
  return {forward ? reduction[0] : lanes, most_span(0, 1, reduction[1], together, true),
          most_span(1, 1, reduction[2], together, true), (forward ? lanes : reduction[0]) * lanes_};
}

TensorBox Operation::rows_box(const Place& place, const Box& rows, const Box& reduction) const {
  TensorBox box;
  if (rows.size() == 0 || reduction.size() == 0) return box;
  if (op() == Op::wgrad) {
    const std::int64_t base = place.group * filter_blocks_;
    box.block = {base + rows.sides[0].begin, base + rows.sides[0].end};
    box.y = reduction.sides[0];
    box.x = reduction.sides[1];
    box.outer = reduction.sides[2];
    return box;
  }
  const TensorLayout& tensor = layout(rows_operand());
  const std::int64_t base = place.group * (op() == Op::fwd ? channel_blocks_ : filter_blocks_);
  box.block = {base + reduction.sides[0].begin, base + reduction.sides[0].end};
  box.y = overlap(window_span(place.block, 0, rows.sides[0], reduction.sides[1]),
                  Range{0, tensor.height()});
  box.x = overlap(window_span(place.block, 1, rows.sides[1], reduction.sides[2]),
                  Range{0, tensor.width()});
  box.outer = rows.sides[2];
  return box;
}

TensorBox Operation::lanes_box(const Place& place, const Range& lanes, const Box& reduction) const {
  TensorBox box;
  if (reduction.size() == 0) return box;
  if (op() == Op::wgrad) {
    const TensorLayout& tensor = layout(Operand::A);
    const auto span = [&](int dimension) {
      const Range& positions = reduction.sides[static_cast<std::size_t>(dimension)];
      const std::int64_t stride = conv_.stride[dimension];
      const std::int64_t offset = tap_offset(place.block, dimension);
      return Range{positions.begin * stride + offset, (positions.end - 1) * stride + offset + 1};
    };
    const std::int64_t base = place.group * channel_blocks_;
    box.block = {base + lanes.begin, base + lanes.end};
    box.y = overlap(span(0), Range{0, tensor.height()});
    box.x = overlap(span(1), Range{0, tensor.width()});
    box.outer = reduction.sides[2];
    return box;
  }
  const Range filters = op() == Op::fwd ? lanes : reduction.sides[0];
  const std::int64_t base = place.group * filter_blocks_;
  box.outer = {(base + filters.begin) * lanes_, (base + filters.end) * lanes_};
  box.block = op() == Op::fwd ? reduction.sides[0] : lanes;
  box.y = kernel_span(place.block, 0, reduction.sides[1]);
  box.x = kernel_span(place.block, 1, reduction.sides[2]);
  return box;
}

Operation::ResultPlace Operation::result_place(const Place& place, const Extents& stream) const {
  const Block& block = mapping_.blocks().pattern()[place.block];
  if (op() == Op::wgrad) {
    const std::int64_t filter = place.group * filter_blocks_ * lanes_ + stream[0];
    return {
        filter * result_.outer_pitch() + block.x * result_.x_pitch() + block.y * result_.y_pitch(),
        {result_.outer_pitch(), 0, 0}};
  }
  const Mapping::Axis& down = axis(place.block, 0);
  const Mapping::Axis& across = axis(place.block, 1);
  return {stream[2] * result_.outer_pitch() +
              (across.origin + stream[1] * across.spacing) * result_.x_pitch() +
              (down.origin + stream[0] * down.spacing) * result_.y_pitch() +
              place.group * lane_blocks_,
          {down.spacing * result_.y_pitch(), across.spacing * result_.x_pitch(),
           result_.outer_pitch()}};
}

}  // namespace td::sim
