// SPDX-License-Identifier: Apache-2.0
// How tensors lie in the accelerator's memory: [image or filter][x][y][channel block][lane].
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/packed.hpp"
#include "sim/arithmetic/fp8.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

/// A tensor of a layer in rows of as many channels as a tile has lanes. A group's channels are
/// filled with zeros to whole blocks, and so are its filters; of results, operations write no row
/// of a filter that is filled in. The batch of a linear layer is the height of one image. Layers
/// that is_unrolled() names lie unrolled(): elements of such images more than once. `wide` tensors
/// hold Geometry::wide_bytes() an element, in rows that are longer where operands have fewer; they
/// are results only.
class TensorLayout {
 public:
  TensorLayout(const LayerInfo& layer, Operand operand, const Geometry& geometry,
               bool wide = false);

  std::int64_t outer() const { return outer_; }    ///< images, or filters with those filled in
  std::int64_t height() const { return height_; }  ///< y
  std::int64_t width() const { return width_; }    ///< x
  std::int64_t blocks() const { return groups_ * group_blocks_; }  ///< of all groups
  std::int64_t row_bytes() const { return lanes_ * element_bytes_; }
  std::int64_t rows() const { return outer_ * outer_pitch_; }  ///< in memory
  std::int64_t bytes() const { return rows() * row_bytes(); }

  /// Rows that its blocks take in memory, about, if they are packed; otherwise 0.
  std::int64_t packed() const { return packed_.usual; }
  void set_packed(const PackedBlocks& blocks) { packed_ = blocks; }
  bool packed_alike() const { return packed_.rows == nullptr; }  ///< all blocks, or none
  /// The most that a block takes of those that these rows in memory are in; not of packed_alike().
  std::int64_t packed_in(std::int64_t begin, std::int64_t end) const;
  /// Bytes in memory: packed, whole blocks.
  std::int64_t stored_bytes() const {
    return packed() == 0 ? bytes() : ceil_div(rows(), kBlockRows) * kBlockRows * row_bytes();
  }

  /// For who reads only every y-th line and every x-th column of it, where they are: sizes are of
  /// these, pitches are from one of them to the next. The memory is the same, and who writes it
  /// needs the whole layout.
  void thin(std::int64_t y, std::int64_t x);

  /// Rows from neighbour to neighbour.
  std::int64_t y_pitch() const { return y_pitch_; }
  std::int64_t x_pitch() const { return x_pitch_; }
  std::int64_t outer_pitch() const { return outer_pitch_; }

  /// Share of a row's lanes that have a channel, over all blocks.
  double filled() const;

  std::int64_t slabs() const { return rows_are_images_ ? height_ : outers_; }  ///< of the shape

  /// The tensor's bytes in memory, from its elements' bits in the order of its shape: operands as a
  /// tile holds them.
  std::vector<std::uint8_t> pack(const std::vector<std::uint32_t>& elements) const;

  /// The elements' bits from bytes() bytes. What is filled in is not looked at.
  std::vector<std::uint32_t> unpack(const std::uint8_t* memory) const;

  /// Elements of an outermost index, numbered in the order of the shape: element first + i * step
  /// is in row row + i * pitch, in lane lane + i * lane_step. Either the row steps or the lane
  /// does.
  struct Run {
    std::int64_t first, step, count, row, pitch, lane, lane_step;
  };

  /// Calls use(run) for runs of all elements with outermost index `n`.
  template <class Use>
  void each_run(std::int64_t n, Use use) const;

 private:
  template <class Use>
  void each_run_of_line(std::int64_t row, std::int64_t lines, Use use) const;
  template <class Use>
  void each_run_of_row(std::int64_t row, Use use) const;

  void unroll(const LayerInfo& layer, Operand operand);

  /// Calls use(index of the element, byte in memory) for every element.
  template <class Use>
  void each(Use use) const;

  std::int64_t slab_elements() const;  ///< of the shape, with one outermost index

  std::int64_t lanes_;
  std::int64_t element_bytes_;
  std::optional<Fp8> codes_;  ///< which an element is in memory
  PackedBlocks packed_;
  std::int64_t outer_ = 0;
  std::int64_t height_ = 1;
  std::int64_t width_ = 1;
  std::int64_t y_pitch_ = 0;
  std::int64_t x_pitch_ = 0;
  std::int64_t outer_pitch_ = 0;
  std::int64_t groups_ = 1;    ///< that the channels are in
  std::int64_t channels_ = 0;  ///< of a group
  std::int64_t group_blocks_ = 0;
  std::int64_t outers_ = 0;           ///< those of the shape
  std::int64_t outers_of_group_ = 0;  ///< filters of a group, or images
  std::int64_t outer_group_ = 0;      ///< ... with those filled in
  bool rows_are_images_ = false;      ///< linear: the first dimension is y
  std::int64_t shape_width_ = 1;
  // Of each column, rows at x have the shape's position x * stride + column * dilation - padding,
  // where there is one.
  std::int64_t columns_ = 1;  ///< that have their own channels: of the kernel, unrolled
  std::int64_t stride_ = 1;
  std::int64_t dilation_ = 1;
  std::int64_t padding_ = 0;
};

template <class Use>
void TensorLayout::each_run(std::int64_t n, Use use) const {
  const std::int64_t outer = n / outers_of_group_ * outer_group_ + n % outers_of_group_;
  const std::int64_t row = rows_are_images_ ? n * y_pitch() : outer * outer_pitch();
  const std::int64_t lines = rows_are_images_ ? 1 : height_;
  if (lines * columns_ * shape_width_ == 1 && padding_ == 0) {
    each_run_of_row(row, use);
  } else {
    each_run_of_line(row, lines, use);
  }
}

/// Where a channel has one element: of a row's lanes at once.
template <class Use>
void TensorLayout::each_run_of_row(std::int64_t row, Use use) const {
  for (std::int64_t group = 0; group < groups_; ++group) {
    for (std::int64_t channel = 0; channel < channels_; channel += lanes_) {
      use(Run{group * channels_ + channel, 1, std::min(lanes_, channels_ - channel),
              row + group * group_blocks_ + channel / lanes_, 0, 0, 1});
    }
  }
}

template <class Use>
void TensorLayout::each_run_of_line(std::int64_t row, std::int64_t lines, Use use) const {
  for (std::int64_t column = 0; column < columns_; ++column) {
    const std::int64_t offset = column * dilation_ - padding_;
    const std::int64_t begin = offset < 0 ? ceil_div(-offset, stride_) : 0;
    const std::int64_t end =
        offset < shape_width_ ? std::min(width_, ceil_div(shape_width_ - offset, stride_)) : 0;
    if (begin >= end) continue;
    for (std::int64_t channel = 0; channel < groups_ * channels_; ++channel) {
      const std::int64_t in_group = column * channels_ + channel % channels_;
      const std::int64_t block = channel / channels_ * group_blocks_ + in_group / lanes_;
      for (std::int64_t y = 0; y < lines; ++y) {
        use(Run{(channel * lines + y) * shape_width_ + begin * stride_ + offset, stride_,
                end - begin, row + begin * x_pitch() + y * y_pitch() + block, x_pitch(),
                in_group % lanes_, 0});
      }
    }
  }
}

}  // namespace td::sim
