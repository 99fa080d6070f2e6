// SPDX-License-Identifier: Apache-2.0
// What a compute descriptor does: walks, passes of all tiles, and their sums in the result
// memories.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/model/compute_counts.hpp"
#include "sim/accelerator/model/walk.hpp"
#include "sim/accelerator/timing/compute/pass_steps.hpp"
#include "sim/model/tile.hpp"

namespace td::sim {

class ComputeModel {
 public:
  explicit ComputeModel(const Config& config);

  /// Throws DescriptorFault.
  void run(const ComputeDescriptor& descriptor);

  /// Operand bits [place][lane], see place_of(), of side A's (0) and side B's (1) memory.
  std::vector<std::uint32_t>& operands(bool side_b) { return operands_[side_b ? 1 : 0]; }

  /// Bits of binary32 [word][element] of a tile's result memory.
  const std::vector<std::uint32_t>& results(int tile) const {
    return results_[static_cast<std::size_t>(tile)];
  }

  const ComputeCounts& counts() const { return counts_; }
  /// Of the descriptor that ran last.
  const PassSteps& pass_steps() const { return pass_steps_; }
  const Geometry& geometry() const { return geometry_; }

 private:
  void run_tile(const ComputeDescriptor& descriptor, int tile, const TileLines& lines);
  void collect(const ComputeDescriptor& descriptor, int tile, std::int64_t gb, std::int64_t ga);

  Geometry geometry_;
  TileModel tile_;
  std::vector<std::uint32_t> operands_[2];
  std::vector<std::vector<std::uint32_t>> results_;
  ComputeCounts counts_;
  PassSteps pass_steps_;

  std::optional<ComputeDescriptor> running_;
  Streams a_;  ///< of this descriptor
  Streams b_;
  PassData pass_;
  PassResult outputs_;
};

}  // namespace td::sim
