// SPDX-License-Identifier: Apache-2.0
// The zeros of whole networks, read once and laid out for the plane kernel, so that pattern after
// pattern can be scored on them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/cycles/dealing/stream_order.hpp"
#include "sim/explore/pattern/plane_kernel.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// An operation of a network; what it refers to must outlive it.
struct ScoredOp {
  const OperandSource& source;
  const LayerInfo& layer;
  Op op;
  Which scheduled;
};

/// Cycles of one tile for those passes of an operation whose groups of streams are in the sample.
struct SampledCycles {
  std::int64_t dense = 0;  ///< a dense tile's
  std::int64_t taken = 0;
};

class StreamPlanes {
 public:
  /// Of `shape` only what decides about streams matters: lanes, tile rows and columns, scheduling,
  /// format. An operation has at most `most_groups` groups in the sample, spread evenly over all;
  /// as many as it has are exact. Runs on the threads of the caller's arena. Throws UserError when
  /// a layer cannot be mapped.
  StreamPlanes(const Config& shape, const std::vector<ScoredOp>& ops, Dealing dealing,
               std::int64_t most_groups, const PlaneKernel& kernel = best_plane_kernel());
  StreamPlanes(const StreamPlanes&) = delete;  // words_ leads into storage_
  StreamPlanes& operator=(const StreamPlanes&) = delete;
  StreamPlanes(StreamPlanes&&) = default;

  /// Of every operation, with this configuration's pattern. On the caller's thread alone.
  std::vector<SampledCycles> run(const Config& config) const;

  /// Groups of streams in all samples.
  std::int64_t groups() const { return static_cast<std::int64_t>(units_.size()); }

 private:
  template <class Mask>
  friend class PlaneBuilder;

  /// A group of streams in one image: a bit of a batch.
  struct Unit {
    std::size_t op = 0;
    std::int64_t passes = 0;  ///< that it stands for
    std::int64_t rows = 0;
  };
  struct BatchLayout {
    std::int64_t rows = 0;
    std::size_t planes = 0;  ///< index of its first word in words_
    std::size_t alive = 0;
  };

  PlaneKernel kernel_;
  std::size_t ops_;
  std::vector<Unit> units_;           ///< in the order of their bits, longest first
  std::vector<BatchLayout> batches_;  ///< of kernel_.width units each
  std::vector<std::uint64_t> storage_;
  const std::uint64_t* words_ = nullptr;  ///< aligned, in storage_
};

}  // namespace td::sim
