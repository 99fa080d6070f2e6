// SPDX-License-Identifier: Apache-2.0
// How a layer's operation becomes streams of rows: which element of which tensor meets which, when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/mapping/layer.hpp"

namespace td::sim {

/// Of what is not negative, by what is positive; rounded up.
constexpr std::int64_t ceil_div(std::int64_t value, std::int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

/// Streams that all meet: every first stream and every second stream make one output. All streams
/// of a block have as many rows: `segments` scheduling units of `segment_rows` rows each, one after
/// the other into one accumulator.
struct Block {
  std::int64_t first_streams = 0;
  std::int64_t second_streams = 0;
  std::int64_t segments = 1;      ///< images for wgrad of a convolution, else 1
  std::int64_t segment_rows = 0;  ///< T; 0: the outputs are +0 in 0 cycles
  std::int64_t group = 0;
  std::int64_t image = 0;  ///< fwd and dgrad of convolutions
  std::int64_t y = 0;      ///< dgrad: phase along H; wgrad: kernel offset along H
  std::int64_t x = 0;      ///< the same along W

  /// Rows of a stream over all its segments.
  std::int64_t rows() const { return segments * segment_rows; }
};

/// The blocks of an operation, in the order in which they are computed: group by group, image by
/// image, and there as in pattern(). Worked out when asked for, since there can be millions.
class BlockList {
 public:
  BlockList() = default;
  BlockList(std::vector<Block> pattern, std::int64_t groups, std::int64_t images)
      : pattern_(std::move(pattern)), groups_(groups), images_(images) {}

  /// Blocks of one group and image: the phases of dgrad, the kernel positions of wgrad, else one.
  const std::vector<Block>& pattern() const { return pattern_; }
  std::int64_t groups() const { return groups_; }
  std::int64_t images() const { return images_; }  ///< 1 where blocks belong to no image

  std::size_t size() const { return pattern_.size() * static_cast<std::size_t>(groups_ * images_); }
  Block operator[](std::size_t index) const {
    Block block = pattern_[index % pattern_.size()];
    const auto outer = static_cast<std::int64_t>(index / pattern_.size());
    block.image = outer % images_;
    block.group = outer / images_;
    return block;
  }
  Block front() const { return pattern_.front(); }

  class Iterator {
   public:
    Iterator(const BlockList& list, std::size_t index) : list_(&list), index_(index) {}
    Block operator*() const { return (*list_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    const BlockList* list_;
    std::size_t index_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  std::vector<Block> pattern_;
  std::int64_t groups_ = 0;
  std::int64_t images_ = 1;
};

/// One pass: these streams are in the tile at once. The last group of either may be short.
struct Pass {
  std::int64_t first_begin = 0;
  std::int64_t first_count = 0;
  std::int64_t second_begin = 0;
  std::int64_t second_count = 0;
};

/// The mapping of one operation of one layer. Linear layers are 1x1 convolutions over one image
/// that is as high as the batch.
class Mapping {
 public:
  /// A kernel position of a window: the window at w reads position w * step + offset.
  struct Tap {
    std::int64_t kernel = 0;
    std::int64_t offset = 0;
  };

  /// One dimension of the windows of a block.
  struct Axis {
    std::vector<Tap> taps;  ///< in the order of the walk
    std::int64_t step = 1;
    std::int64_t extent = 0;  ///< of the operand: positions outside are padding
    std::int64_t windows = 0;
    std::int64_t origin = 0;   ///< output position of window 0
    std::int64_t spacing = 1;  ///< output positions from window to window

    const Tap& tap(std::int64_t index) const { return taps[static_cast<std::size_t>(index)]; }
  };

  /// `lanes` (2…64) operand pairs to a row. Throws UserError when the layer contradicts itself.
  Mapping(const LayerInfo& layer, Op op, int lanes);

  Op op() const { return op_; }
  int lanes() const { return lanes_; }
  Operand first() const { return operand(op_, Which::first); }
  Operand second() const { return operand(op_, Which::second); }

  /// Together they make every output once.
  const BlockList& blocks() const { return blocks_; }

  /// Where the windows of a block lie along y (0) or x (1); wgrad: the kernel positions.
  const Axis& axis(const Block& block, int dimension) const;

  /// fwd: as GO; dgrad: as A; wgrad: as W.
  const Shape& output_shape() const { return output_shape_; }

  /// Writes rows() * lanes() entries, row by row: the index into the operand's tensor of the
  /// element that the lane takes, or -1 for a filled-in zero. `stream` is 0…streams-1 of that side.
  void gather_indices(const Block& block, Which which, std::int64_t stream,
                      std::int64_t* indices) const;

  /// Index into the output tensor of what the two streams make.
  std::int64_t output_index(const Block& block, std::int64_t first_stream,
                            std::int64_t second_stream) const;

 private:
  /// Distances between neighbours of a tensor, in elements.
  struct Strides {
    std::int64_t outer = 0;  ///< image; of W: filter
    std::int64_t channel = 0;
    std::int64_t axis[2] = {0, 0};  ///< y, x
  };

  void read_geometry(const LayerInfo& layer);
  Axis fwd_axis(int dimension) const;
  std::vector<Axis> dgrad_axes(int dimension) const;
  std::vector<Block> window_blocks() const;
  std::vector<Block> wgrad_blocks() const;
  void gather_windows(const Block& block, std::int64_t stream, std::int64_t* indices) const;
  void gather_filter(const Block& block, std::int64_t stream, std::int64_t* indices) const;
  void gather_positions(const Block& block, Which which, std::int64_t stream,
                        std::int64_t* indices) const;

  Op op_;
  int lanes_;
  Conv conv_;
  std::int64_t images_ = 0;
  std::int64_t channels_ = 0;  ///< of A, in one group
  std::int64_t filters_ = 0;   ///< in one group
  std::int64_t in_[2] = {0, 0};
  std::int64_t out_[2] = {0, 0};
  std::int64_t kernel_[2] = {0, 0};
  Strides a_;
  Strides w_;
  Strides go_;
  Shape output_shape_;
  std::vector<Axis> axes_[2];  ///< by dimension; dgrad: by phase
  BlockList blocks_;
};

/// Passes of a block through a tile whose rows take the scheduled operand and whose columns take
/// the other.
std::int64_t passes(const Block& block, int rows, int columns, Which scheduled);

/// Pass `index` of 0…passes()-1: groups of first streams are the outer loop.
Pass pass(const Block& block, int rows, int columns, Which scheduled, std::int64_t index);

/// Cycles of the dense tile: the sum of rows() over all passes of all blocks.
std::int64_t dense_cycles(const Mapping& mapping, int rows, int columns, Which scheduled);

}  // namespace td::sim
