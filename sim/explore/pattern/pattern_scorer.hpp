// SPDX-License-Identifier: Apache-2.0
// Scores patterns on networks: what a tile of the configuration gains over the dense one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/explore/pattern/stream_planes.hpp"
#include "sim/network/network_simulation.hpp"

namespace td::sim {

class PatternScorer {
 public:
  /// Scores on these networks, which must outlive it, with the larger share of zeros on side B;
  /// `shape`, `dealing` and `most_groups` as in StreamPlanes. Dealt at best, an operation has the
  /// fewer cycles of natural and density; time, which depends on the pattern, is scored as density.
  PatternScorer(const Config& shape, const std::vector<const OperandSource*>& networks,
                DealingMode dealing, std::int64_t most_groups);

  /// Total speed-up of each network on one tile; exact where the sample holds all groups.
  std::vector<double> speedups(const Config& config) const;

  /// Cycles in the sample, [operation over all networks], dealt as is best for each.
  std::vector<SampledCycles> cycles(const Config& config) const;

  std::int64_t groups() const;

 private:
  struct Weight {
    std::size_t network;
    double dense_cycles;  ///< of the whole operation
  };

  std::size_t networks_;
  std::vector<Weight> weights_;       ///< [operation]
  std::vector<StreamPlanes> planes_;  ///< [dealing]
};

}  // namespace td::sim
