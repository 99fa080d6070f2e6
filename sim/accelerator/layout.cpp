// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/layout.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/accelerator/unrolled_layer.hpp"
#include "sim/trace/quantised_operands.hpp"

namespace td::sim {

TensorLayout::TensorLayout(const LayerInfo& layer, Operand operand, const Geometry& geometry,
                           bool wide)
    : lanes_(geometry.lanes),
      element_bytes_(wide ? geometry.wide_bytes() : geometry.element_bytes()) {
  if (geometry.format == Format::fp8 && !wide) codes_ = fp8_kind(operand);
  const Shape& shape = layer.shape(operand);
  const std::int64_t groups = layer.conv.groups;
  const bool weights = operand == Operand::W;
  outers_ = shape[0];
  outers_of_group_ = weights ? shape[0] / groups : shape[0];
  groups_ = weights ? 1 : groups;
  channels_ = shape[1] / groups_;
  group_blocks_ = ceil_div(channels_, lanes_);
  outer_group_ = weights ? ceil_div(outers_of_group_, lanes_) * lanes_ : shape[0];
  if (layer.type == LayerType::conv2d) {
    height_ = shape[2];
    width_ = shape_width_ = shape[3];
  } else if (!weights) {
    rows_are_images_ = true;
    height_ = shape[0];
    outers_ = outers_of_group_ = outer_group_ = 1;
  }
  outer_ = outers_ / outers_of_group_ * outer_group_;
  if (operand != Operand::GO && is_unrolled(layer, lanes_)) unroll(layer, operand);
  y_pitch_ = blocks();
  x_pitch_ = height_ * y_pitch_;
  outer_pitch_ = width_ * x_pitch_;
}

void TensorLayout::thin(std::int64_t y, std::int64_t x) {
  height_ = ceil_div(height_, y);
  width_ = ceil_div(width_, x);
  y_pitch_ *= y;
  x_pitch_ *= x;
}

void TensorLayout::unroll(const LayerInfo& layer, Operand operand) {
  const LayerInfo stored = unrolled(layer);
  const Shape& shape = stored.shape(operand);
  columns_ = layer.w[3];
  group_blocks_ = ceil_div(shape[1], lanes_);
  width_ = shape[3];
  if (operand == Operand::W) return;
  stride_ = layer.conv.stride[1];
  dilation_ = layer.conv.dilation[1];
  padding_ = layer.conv.padding[1];
}

std::int64_t TensorLayout::packed_in(std::int64_t begin, std::int64_t end) const {
  const auto first = packed_.rows->begin();
  return *std::max_element(first + begin / kBlockRows, first + ceil_div(end, kBlockRows));
}

double TensorLayout::filled() const {
  return static_cast<double>(columns_ * channels_) / static_cast<double>(group_blocks_ * lanes_);
}

std::int64_t TensorLayout::slab_elements() const {
  return groups_ * channels_ * (rows_are_images_ ? 1 : height_) * shape_width_;
}

template <class Use>
void TensorLayout::each(Use use) const {
  for (std::int64_t n = 0; n < slabs(); ++n) {
    each_run(n, [&](const Run& run) {
      for (std::int64_t i = 0; i < run.count; ++i) {
        const std::int64_t at = (run.row + i * run.pitch) * lanes_ + run.lane + i * run.lane_step;
        use(static_cast<std::size_t>(n * slab_elements() + run.first + i * run.step),
            static_cast<std::size_t>(at * element_bytes_));
      }
    });
  }
}

std::vector<std::uint8_t> TensorLayout::pack(const std::vector<std::uint32_t>& elements) const {
  std::vector<std::uint8_t> memory(static_cast<std::size_t>(bytes()));
  each([&](std::size_t index, std::size_t at) {
    const std::uint32_t bits = codes_ ? to_code(*codes_, elements[index]) : elements[index];
    for (std::size_t i = 0; i < static_cast<std::size_t>(element_bytes_); ++i) {
      memory[at + i] = static_cast<std::uint8_t>(bits >> 8 * i);
    }
  });
  return memory;
}

std::vector<std::uint32_t> TensorLayout::unpack(const std::uint8_t* memory) const {
  std::vector<std::uint32_t> elements(static_cast<std::size_t>(slabs() * slab_elements()));
  each([&](std::size_t index, std::size_t at) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(element_bytes_); ++i) {
      elements[index] |= std::uint32_t{memory[at + i]} << 8 * i;
    }
  });
  return elements;
}

}  // namespace td::sim
