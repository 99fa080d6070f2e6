// SPDX-License-Identifier: Apache-2.0
// Blocks, passes and indices of the mapping.
#include "sim/mapping/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/error.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t filled = -1;

/// `count` entries from `first` in steps of `step`. Returns the end of what it wrote.
std::int64_t* put(std::int64_t* out, std::int64_t count, std::int64_t first, std::int64_t step) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = first + i * step;
  return out + count;
}

std::int64_t* put_filled(std::int64_t* out, std::int64_t count) {
  return std::fill_n(out, count, filled);
}

/// The positions i of 0…count-1 for which i * step + offset lies in 0…extent-1: begin…end-1.
struct Inside {
  Inside(std::int64_t count, std::int64_t step, std::int64_t offset, std::int64_t extent)
      : begin(offset >= 0 ? 0 : std::min(count, ceil_div(-offset, step))),
        end(offset >= extent ? 0 : std::min(count, ceil_div(extent - offset, step))) {
    end = std::max(begin, end);
  }

  std::int64_t begin;
  std::int64_t end;
};

}  // namespace

Mapping::Mapping(const LayerInfo& layer, Op op, int lanes) : op_(op), lanes_(lanes) {
  if (lanes < 2 || lanes > 64) {
    throw UserError("mapping", "lanes", fmt::format("{}", lanes), "2..64");
  }
  check_layer(layer, "mapping");
  read_geometry(layer);
  output_shape_ = op == Op::fwd ? layer.go : op == Op::dgrad ? layer.a : layer.w;
  for (int dimension = 0; dimension < 2; ++dimension) {
    if (op == Op::dgrad) {
      axes_[dimension] = dgrad_axes(dimension);
    } else {
      axes_[dimension].push_back(fwd_axis(dimension));
    }
  }
  if (op == Op::wgrad) {
    blocks_ = {wgrad_blocks(), conv_.groups, 1};
  } else {
    blocks_ = {window_blocks(), conv_.groups, images_};
  }
}

void Mapping::read_geometry(const LayerInfo& layer) {
  conv_ = layer.conv;
  channels_ = layer.w[1];
  filters_ = layer.w[0] / conv_.groups;
  if (layer.type == LayerType::linear) {
    // The batch is the height of one image, so that windows run across it.
    images_ = in_[1] = out_[1] = kernel_[0] = kernel_[1] = 1;
    in_[0] = out_[0] = layer.a[0];
    a_ = {0, 1, {channels_, 0}};
    w_ = {channels_, 1, {0, 0}};
    go_ = {0, 1, {filters_, 0}};
    return;
  }
  images_ = layer.a[0];
  for (std::size_t i = 0; i < 2; ++i) {
    in_[i] = layer.a[2 + i];
    out_[i] = layer.go[2 + i];
    kernel_[i] = layer.w[2 + i];
  }
  const auto strides = [](std::int64_t channels, const std::int64_t(&size)[2]) -> Strides {
    return {channels * size[0] * size[1], size[0] * size[1], {size[1], 1}};
  };
  a_ = strides(layer.a[1], in_);
  w_ = strides(layer.w[1], kernel_);
  go_ = strides(layer.go[1], out_);
}

Mapping::Axis Mapping::fwd_axis(int dimension) const {
  Axis axis;
  axis.step = conv_.stride[dimension];
  axis.extent = in_[dimension];
  axis.windows = out_[dimension];
  for (std::int64_t r = 0; r < kernel_[dimension]; ++r) {
    axis.taps.push_back({r, r * conv_.dilation[dimension] - conv_.padding[dimension]});
  }
  return axis;
}

std::vector<Mapping::Axis> Mapping::dgrad_axes(int dimension) const {
  const std::int64_t stride = conv_.stride[dimension];
  const std::int64_t phases = std::min(stride, in_[dimension]);
  std::vector<Axis> axes(static_cast<std::size_t>(phases));
  for (std::int64_t phase = 0; phase < phases; ++phase) {
    Axis& axis = axes[static_cast<std::size_t>(phase)];
    axis.extent = out_[dimension];
    axis.windows = ceil_div(in_[dimension] - phase, stride);
    axis.origin = phase;
    axis.spacing = stride;
  }
  // The kernel is rotated: its last position meets the first gradient. Every position belongs to
  // one phase, the one that makes its reach a multiple of the stride.
  for (std::int64_t r = kernel_[dimension]; r-- > 0;) {
    const std::int64_t reach = conv_.padding[dimension] - r * conv_.dilation[dimension];
    const std::int64_t phase = (stride - reach % stride) % stride;
    if (phase >= phases) continue;
    axes[static_cast<std::size_t>(phase)].taps.push_back({r, (phase + reach) / stride});
  }
  return axes;
}

std::vector<Block> Mapping::window_blocks() const {
  const std::int64_t reduced = op_ == Op::fwd ? channels_ : filters_;
  std::vector<Block> blocks;
  for (std::size_t x = 0; x < axes_[1].size(); ++x) {
    for (std::size_t y = 0; y < axes_[0].size(); ++y) {
      const Axis& down = axes_[0][y];
      const Axis& across = axes_[1][x];
      Block block;
      block.first_streams = down.windows * across.windows;
      block.second_streams = op_ == Op::fwd ? filters_ : channels_;
      block.segment_rows = static_cast<std::int64_t>(down.taps.size() * across.taps.size()) *
                           ceil_div(reduced, lanes_);
      block.y = static_cast<std::int64_t>(y);
      block.x = static_cast<std::int64_t>(x);
      blocks.push_back(block);
    }
  }
  return blocks;
}

std::vector<Block> Mapping::wgrad_blocks() const {
  std::vector<Block> blocks;
  for (std::int64_t x = 0; x < kernel_[1]; ++x) {
    for (std::int64_t y = 0; y < kernel_[0]; ++y) {
      Block block;
      block.first_streams = channels_;
      block.second_streams = filters_;
      block.segments = images_;
      block.segment_rows = ceil_div(out_[0] * out_[1], lanes_);
      block.y = y;
      block.x = x;
      blocks.push_back(block);
    }
  }
  return blocks;
}

const Mapping::Axis& Mapping::axis(const Block& block, int dimension) const {
  if (op_ != Op::dgrad) return axes_[dimension][0];
  return axes_[dimension][static_cast<std::size_t>(dimension == 0 ? block.y : block.x)];
}

void Mapping::gather_indices(const Block& block, Which which, std::int64_t stream,
                             std::int64_t* indices) const {
  if (op_ == Op::wgrad) {
    gather_positions(block, which, stream, indices);
  } else if (which == Which::first) {
    gather_windows(block, stream, indices);
  } else {
    gather_filter(block, stream, indices);
  }
}

void Mapping::gather_windows(const Block& block, std::int64_t stream, std::int64_t* indices) const {
  const Axis& down = axis(block, 0);
  const Axis& across = axis(block, 1);
  const Strides& strides = op_ == Op::fwd ? a_ : go_;
  const std::int64_t reduced = op_ == Op::fwd ? channels_ : filters_;
  const std::int64_t padded = ceil_div(reduced, lanes_) * lanes_;
  const std::int64_t base = block.image * strides.outer + block.group * reduced * strides.channel;
  const std::int64_t window_y = stream % down.windows * down.step;
  const std::int64_t window_x = stream / down.windows * across.step;
  for (const Tap& tap_x : across.taps) {
    const std::int64_t x = window_x + tap_x.offset;
    for (const Tap& tap_y : down.taps) {
      const std::int64_t y = window_y + tap_y.offset;
      if (x < 0 || x >= across.extent || y < 0 || y >= down.extent) {
        indices = put_filled(indices, padded);
        continue;
      }
      const std::int64_t first = base + y * strides.axis[0] + x * strides.axis[1];
      indices = put(indices, reduced, first, strides.channel);
      indices = put_filled(indices, padded - reduced);
    }
  }
}

void Mapping::gather_filter(const Block& block, std::int64_t stream, std::int64_t* indices) const {
  const bool forward = op_ == Op::fwd;
  const std::int64_t reduced = forward ? channels_ : filters_;
  const std::int64_t step = forward ? w_.channel : w_.outer;
  const std::int64_t padded = ceil_div(reduced, lanes_) * lanes_;
  const std::int64_t base =
      block.group * filters_ * w_.outer + stream * (forward ? w_.outer : w_.channel);
  for (const Tap& tap_x : axis(block, 1).taps) {
    for (const Tap& tap_y : axis(block, 0).taps) {
      const std::int64_t first = base + tap_y.kernel * w_.axis[0] + tap_x.kernel * w_.axis[1];
      indices = put(indices, reduced, first, step);
      indices = put_filled(indices, padded - reduced);
    }
  }
}

void Mapping::gather_positions(const Block& block, Which which, std::int64_t stream,
                               std::int64_t* indices) const {
  const bool sampled = which == Which::first;  // A, at the stride; GO lies as it is
  const Strides& strides = sampled ? a_ : go_;
  const auto& extent = sampled ? in_ : out_;
  const std::int64_t streams = sampled ? channels_ : filters_;
  const std::int64_t step[2] = {sampled ? conv_.stride[0] : 1, sampled ? conv_.stride[1] : 1};
  const std::int64_t offset[2] = {
      sampled ? axes_[0][0].taps[static_cast<std::size_t>(block.y)].offset : 0,
      sampled ? axes_[1][0].taps[static_cast<std::size_t>(block.x)].offset : 0};
  const Inside rows(out_[0], step[0], offset[0], extent[0]);
  const Inside columns(out_[1], step[1], offset[1], extent[1]);
  const std::int64_t tail = block.segment_rows * lanes_ - out_[0] * out_[1];
  for (std::int64_t image = 0; image < images_; ++image) {
    const std::int64_t base =
        image * strides.outer + (block.group * streams + stream) * strides.channel +
        (rows.begin * step[0] + offset[0]) * strides.axis[0] + offset[1] * strides.axis[1];
    indices = put_filled(indices, columns.begin * out_[0]);
    for (std::int64_t q = columns.begin; q < columns.end; ++q) {
      indices = put_filled(indices, rows.begin);
      indices = put(indices, rows.end - rows.begin, base + q * step[1] * strides.axis[1],
                    step[0] * strides.axis[0]);
      indices = put_filled(indices, out_[0] - rows.end);
    }
    indices = put_filled(indices, (out_[1] - columns.end) * out_[0] + tail);
  }
}

std::int64_t Mapping::output_index(const Block& block, std::int64_t first_stream,
                                   std::int64_t second_stream) const {
  if (op_ == Op::wgrad) {
    return (block.group * filters_ + second_stream) * w_.outer + first_stream * w_.channel +
           block.y * w_.axis[0] + block.x * w_.axis[1];
  }
  const Strides& strides = op_ == Op::fwd ? go_ : a_;
  const Axis& down = axis(block, 0);
  const Axis& across = axis(block, 1);
  const std::int64_t y = down.origin + first_stream % down.windows * down.spacing;
  const std::int64_t x = across.origin + first_stream / down.windows * across.spacing;
  return block.image * strides.outer +
         (block.group * block.second_streams + second_stream) * strides.channel +
         y * strides.axis[0] + x * strides.axis[1];
}

std::int64_t passes(const Block& block, int rows, int columns, Which scheduled) {
  const bool first = scheduled == Which::first;
  return ceil_div(block.first_streams, first ? rows : columns) *
         ceil_div(block.second_streams, first ? columns : rows);
}

Pass pass(const Block& block, int rows, int columns, Which scheduled, std::int64_t index) {
  const std::int64_t first_size = scheduled == Which::first ? rows : columns;
  const std::int64_t second_size = scheduled == Which::first ? columns : rows;
  const std::int64_t second_groups = ceil_div(block.second_streams, second_size);
  Pass result;
  result.first_begin = index / second_groups * first_size;
  result.first_count = std::min(first_size, block.first_streams - result.first_begin);
  result.second_begin = index % second_groups * second_size;
  result.second_count = std::min(second_size, block.second_streams - result.second_begin);
  return result;
}

std::int64_t dense_cycles(const Mapping& mapping, int rows, int columns, Which scheduled) {
  std::int64_t cycles = 0;
  for (const Block& block : mapping.blocks()) {
    cycles += passes(block, rows, columns, scheduled) * block.rows();
  }
  return cycles;
}

}  // namespace td::sim
