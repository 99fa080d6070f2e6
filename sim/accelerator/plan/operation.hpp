// SPDX-License-Identifier: Apache-2.0
// An operation of a layer as the accelerator sees it: result rows of lanes, and what they sum over.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "base/support/error.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/layout.hpp"
#include "sim/accelerator/plan/box.hpp"
#include "sim/accelerator/timing/bus/memory_clock.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

constexpr std::int64_t kMostPosition = 32767;  ///< of y and x: 16 bits with a sign

/// No plan of the accelerator does an operation; its tiles alone may.
class CannotPlan : public UserError {
 public:
  using UserError::UserError;
};

/// A part of a tensor in memory.
struct TensorBox {
  Range block;  ///< of channels
  Range y;
  Range x;
  Range outer;  ///< images or filters

  std::int64_t rows() const { return block.size() * y.size() * x.size() * outer.size(); }
  bool operator==(const TensorBox& other) const {
    return block == other.block && y == other.y && x == other.x && outer == other.outer;
  }
};

/// How large a part of a tensor is, at most.
struct BoxSize {
  std::int64_t blocks;
  std::int64_t y;
  std::int64_t x;
  std::int64_t outer;

  std::int64_t rows() const { return blocks * y * x * outer; }
};

/// A part of a tensor in an operand memory.
struct HeldBox {
  TensorBox box;
  std::int64_t row = 0;     ///< where it begins
  unsigned interleave = 0;  ///< see place_of()
};

/// Clocks between bursts of a beat.
std::int64_t burst_clocks(const Geometry& geometry, const MemoryTiming& memory);

/// Which of an operation's results are meant: those of one group and one block of the mapping,
/// which is a phase of dgrad or a kernel position of wgrad.
struct Place {
  std::int64_t group = 0;
  std::size_t block = 0;
};

/// fwd and dgrad: a result row is a window (y, x, image), its lanes are a block of filters or
/// channels, and it sums over blocks of channels or filters, kernel y and kernel x. wgrad: a result
/// row is a filter, its lanes are a block of channels, and it sums over positions y, x and images;
/// rows are cut in whole blocks of filters. Of layers that is_unrolled() names all this is of the
/// unrolled() ones. Where a kernel of one position strides, fwd and wgrad do not know of columns
/// that lie between, nor of lines, unless to read these takes less than bursts of a position do:
/// their input is thin().
class Operation {
 public:
  /// `memory`: behind which the input is thinned where that pays. Throws CannotPlan when positions
  /// or pitches are beyond what descriptors can say.
  Operation(const LayerInfo& layer, Op op, const Geometry& geometry, bool wide_results,
            const MemoryTiming& memory = {});

  Op op() const { return mapping_.op(); }
  const Mapping& mapping() const { return mapping_; }
  std::int64_t groups() const { return groups_; }
  std::size_t blocks() const { return mapping_.blocks().pattern().size(); }

  /// Of wgrad: blocks of filters.
  Extents rows(std::size_t block) const;
  Extents reduction(std::size_t block) const;  ///< empty: the results are +0
  Extents most_rows() const;                   ///< over all blocks
  Extents most_reduction() const;
  std::int64_t lane_blocks() const { return lane_blocks_; }

  /// Streams of an entry of rows().
  std::int64_t row_unit() const { return op() == Op::wgrad ? lanes_ : 1; }
  /// Rows of a stream that sums over so much.
  std::int64_t chunk_rows(const Extents& reduction) const;

  /// The operand whose streams are the result rows; the other one's are their lanes.
  Which rows_which() const { return op() == Op::wgrad ? Which::second : Which::first; }
  Operand rows_operand() const { return operand(op(), rows_which()); }
  Operand lanes_operand() const;
  /// As they are read.
  const TensorLayout& layout(Operand operand) const {
    return layouts_[static_cast<std::size_t>(operand)];
  }
  const TensorLayout& result_layout() const { return result_; }
  void set_packed(Operand operand, const PackedBlocks& blocks) {
    layouts_[static_cast<std::size_t>(operand)].set_packed(blocks);
  }

  /// What must be in the operand memories for these results.
  TensorBox rows_box(const Place& place, const Box& rows, const Box& reduction) const;
  TensorBox lanes_box(const Place& place, const Range& lanes, const Box& reduction) const;

  /// The largest such boxes for so many results and sums; `together`: of all blocks at once.
  BoxSize most_rows_box(const Extents& rows, const Extents& reduction, bool together) const;
  BoxSize most_lanes_box(std::int64_t lanes, const Extents& reduction, bool together) const;

  /// The walks that make streams of boxes; blocks is not set. Their fan is as large as loops and
  /// interleaving allow.
  OperandWalk rows_walk(const Place& place, const Box& rows, const Box& reduction,
                        const HeldBox& held) const;
  OperandWalk lanes_walk(const Place& place, const Range& lanes, const Box& reduction,
                         const HeldBox& held) const;
  /// Clocks in which such walks bring so many rows, when they are interleaved as they want to be.
  std::int64_t rows_clocks(std::int64_t brought, const Extents& rows,
                           const Extents& reduction) const;
  std::int64_t lanes_clocks(std::int64_t brought, const Extents& reduction) const;

  /// Where results lie: the stream of a box of rows() (counted in streams, first dimension first).
  struct ResultPlace {
    std::int64_t row = 0;       ///< of the result's layout, of lane block 0 of the group
    Extents pitch = {0, 0, 0};  ///< rows to the next along each dimension
  };
  ResultPlace result_place(const Place& place, const Extents& stream) const;
  /// Streams that are results: what fills up blocks of filters is none.
  std::int64_t row_streams(const Box& rows) const;

 private:
  Operation(const LayerInfo& layer, const LayerInfo& stored, std::array<std::int64_t, 2> every,
            Op op, const Geometry& geometry, bool wide_results);

  void check(const LayerInfo& layer) const;
  const Mapping::Axis& axis(std::size_t block, int dimension) const;
  std::int64_t tap_offset(std::size_t block, int dimension) const;
  Range window_span(std::size_t block, int dimension, const Range& windows,
                    const Range& taps) const;
  std::int64_t most_span(int dimension, std::int64_t windows, std::int64_t taps, bool together,
                         bool of_kernel) const;
  Range kernel_span(std::size_t block, int dimension, const Range& taps) const;
  OperandWalk window_walk(const Place& place, const Box& rows, const Box& reduction,
                          const HeldBox& held) const;
  OperandWalk filter_walk(const Place& place, const Range& lanes, const Box& reduction,
                          const HeldBox& held) const;
  OperandWalk position_walk(const Place& place, const Range& blocks, const Box& reduction,
                            const HeldBox& held, bool sampled) const;

  Mapping mapping_;
  Conv conv_;
  std::int64_t lanes_;
  std::int64_t fill_rows_;
  std::int64_t groups_;
  std::int64_t images_;
  std::int64_t filters_;        ///< of a group
  std::int64_t filter_blocks_;  ///< of a group
  std::int64_t channel_blocks_;
  std::int64_t lane_blocks_;
  std::vector<TensorLayout> layouts_;  ///< by Operand
  TensorLayout result_;
};

}  // namespace td::sim
