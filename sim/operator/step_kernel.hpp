// SPDX-License-Identifier: Apache-2.0
// The inner loops of the operator: tile-row groups scheduled together, and the sums of a stream's
// steps in SIMD registers over many tile columns. Compiled once for every instruction set; plain
// pointers only, so that no code of one set can end up in another's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace td::sim {

/// Streams that are scheduled together.
inline constexpr int kBatchStreams = 32;

/// Lanes of a step are stored in multiples of this many.
inline constexpr int kLaneVector = 16;

/// A configuration's scheduler and sums, unrolled.
struct StepPlan {
  int lanes = 0;
  int pitch = 0;   ///< lanes that a step is stored with: a multiple of kLaneVector
  int leaves = 0;  ///< of the tree: lanes, rounded up to a power of two
  int depth = 0;
  int tile_rows = 0;
  int options = 0;
  int levels = 0;
  const std::int32_t* steps = nullptr;         ///< [options]: rows ahead
  const std::int32_t* shifts = nullptr;        ///< [options]: lanes to the right, 0…lanes-1
  const std::uint64_t* level_lanes = nullptr;  ///< [levels]
  const std::int32_t* sources = nullptr;       ///< [options][pitch]: step * lanes + source lane
  int accumulators = 1;
  int places = 0;    ///< of a fused sum, FusedShape::places(); 0: a tree
  int smallest = 0;  ///< exponent of the format's smallest normal number
};

/// Streams of a batch, and the steps that they are scheduled into. A group is tile_rows streams
/// that advance together. What a stream's lanes multiply in a step is an element of the stream,
/// row * lanes + lane; an idle lane has element rows * lanes, and +0 as factor.
template <class Mask>
struct StepBatch {
  int streams = 0;                       ///< at most kBatchStreams
  int groups = 0;                        ///< at most kBatchStreams / tile_rows
  std::int64_t rows = 0;                 ///< of each stream
  bool dense = false;                    ///< every pair is multiplied, those of zeros too
  const std::int32_t* ids = nullptr;     ///< [stream][rows]: which of the rows that follow
  const float* values = nullptr;         ///< [row][2 * pitch] as load_rows() has them; row 0 all +0
  const std::uint64_t* masks = nullptr;  ///< [row]: lanes that are not zero
  // Results, and what is worked in.
  Mask* pending = nullptr;            ///< [group][rows + depth][tile_rows]: not yet taken
  std::int32_t* elements = nullptr;   ///< [stream][rows][pitch], the rows being steps
  float* factors = nullptr;           ///< the same: the elements' values
  float* factor_exponents = nullptr;  ///< the same: their exponents; fused sums only
  std::uint64_t* used = nullptr;      ///< [stream][rows]: lanes that multiply
  std::int64_t* steps = nullptr;      ///< [group]
};

/// A stream's steps on many tile columns.
struct StepSums {
  std::int64_t steps = 0;
  std::int64_t turn = 0;                   ///< steps before these, of the same accumulators
  const std::int32_t* elements = nullptr;  ///< [steps][pitch]
  const float* factors = nullptr;
  const float* factor_exponents = nullptr;
  const std::uint64_t* used = nullptr;  ///< [steps]
  const float* columns = nullptr;       ///< [row][stride]
  const float* column_exponents = nullptr;
  const std::int64_t* offsets = nullptr;  ///< [element]: where its row of columns begins
  std::int64_t stride = 0;                ///< columns, a multiple of kLaneVector
  float* accumulators = nullptr;          ///< [accumulators][stride]
};

/// What an instruction set's compilation offers. Pointers are aligned to 64 bytes where a vector
/// begins.
struct StepKernel {
  /// values[i] is the element of index i of the tensor, +0 where that is negative.
  void (*gather)(const std::int32_t* indices, std::int64_t count, const float* tensor,
                 float* values) = nullptr;
  /// Of `count` rows of lanes, as gather() reads them: the values, from lane 0 on and once more
  /// behind the last lane, so that lanes turned by any shift lie side by side; and which are not
  /// zero.
  void (*load_rows)(const StepPlan& plan, const std::int32_t* indices, std::int64_t count,
                    const float* tensor, float* values, std::uint64_t* masks) = nullptr;
  /// Exponents of factors of a fused sum: `smallest` or more, kZeroExponent for zeros. `count` is a
  /// multiple of kLaneVector.
  void (*exponents)(const float* values, std::int64_t count, int smallest,
                    float* exponents) = nullptr;
  void (*schedule16)(const StepPlan& plan, const StepBatch<std::uint16_t>& batch) = nullptr;
  void (*schedule64)(const StepPlan& plan, const StepBatch<std::uint64_t>& batch) = nullptr;
  void (*sum)(const StepPlan& plan, const StepSums& sums) = nullptr;
};

/// The exponent of a factor that is zero: less than any sum of two others.
inline constexpr float kZeroExponent = -1e6F;

/// The kernel of one instruction set, which the processor must have.
template <class Arch>
StepKernel step_kernel_for();

/// The kernel of the best instruction set that this processor has.
StepKernel best_step_kernel();

}  // namespace td::sim
