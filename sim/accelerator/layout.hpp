// SPDX-License-Identifier: Apache-2.0
// How tensors lie in the accelerator's memory: [image or filter][x][y][channel block][lane].
#pragma once

#include <cstdint>
#include <vector>

#include "gen/configuration/geometry.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

constexpr int kWideBytes = 4;  ///< of an element of a wide tensor: binary32

/// A tensor of a layer in rows of as many channels as a tile has lanes. A group's channels are
/// filled with zeros to whole blocks, and so are its filters. The batch of a linear layer is the
/// height of one image. `wide` tensors hold binary32, in rows that are longer where operands are
/// not; they are results only.
class TensorLayout {
 public:
  TensorLayout(const LayerInfo& layer, Operand operand, const Geometry& geometry,
               bool wide = false);

  std::int64_t outer() const { return outer_; }    ///< images, or filters with those filled in
  std::int64_t height() const { return height_; }  ///< y
  std::int64_t width() const { return width_; }    ///< x
  std::int64_t blocks() const { return groups_ * group_blocks_; }  ///< of all groups
  std::int64_t row_bytes() const { return lanes_ * element_bytes_; }
  std::int64_t rows() const { return outer_ * width_ * height_ * blocks(); }
  std::int64_t bytes() const { return rows() * row_bytes(); }

  /// Rows from neighbour to neighbour.
  std::int64_t y_pitch() const { return blocks(); }
  std::int64_t x_pitch() const { return height_ * y_pitch(); }
  std::int64_t outer_pitch() const { return width_ * x_pitch(); }

  /// The tensor's bytes in memory, from its elements' bits in the order of its shape.
  std::vector<std::uint8_t> pack(const std::vector<std::uint32_t>& elements) const;

  /// The elements' bits from bytes() bytes. What is filled in is not looked at.
  std::vector<std::uint32_t> unpack(const std::uint8_t* memory) const;

 private:
  /// Calls use(index of the element, byte in memory) for every element.
  template <class Use>
  void each(Use use) const;

  std::int64_t lanes_;
  std::int64_t element_bytes_;
  std::int64_t outer_ = 0;
  std::int64_t height_ = 1;
  std::int64_t width_ = 1;
  std::int64_t groups_ = 1;    ///< that the channels are in
  std::int64_t channels_ = 0;  ///< of a group
  std::int64_t group_blocks_ = 0;
  std::int64_t outers_ = 0;           ///< those of the shape
  std::int64_t outers_of_group_ = 0;  ///< filters of a group, or images
  std::int64_t outer_group_ = 0;      ///< ... with those filled in
  bool rows_are_images_ = false;      ///< linear: the first dimension is y
};

}  // namespace td::sim
