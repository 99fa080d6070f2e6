// SPDX-License-Identifier: Apache-2.0
// The scheduler on bit masks: which pair each lane takes, for all lanes of a level at once.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"

namespace td::sim {

/// One bit per lane.
using LaneMask = std::uint64_t;

/// The largest depth and number of options a configuration can have.
inline constexpr int kMaximumDepth = 8;

/// What one step takes: for each option of the pattern, the lanes that take through it.
struct Choice {
  LaneMask lanes[kMaximumOptions];
};

/// The scheduler of a configuration that is not dense.
class Scheduler {
 public:
  explicit Scheduler(const Config& config);

  /// Lets every lane choose from `rows`, the window: one mask of free, effectual elements for each
  /// of its depth rows. What is taken is removed from it.
  void choose(LaneMask* rows, Choice& choice) const;

 private:
  /// An option with its row and its offset as shifts.
  struct Reach {
    int step;
    int right;  ///< 0…lanes-1: bit i of the shifted row is what lane i sees
    int left;   ///< lanes - right, or 0: no shift is by all 64 bits
  };

  struct View;  ///< a window, as the lanes see it

  LaneMask all_;  ///< every lane
  std::vector<Reach> options_;
  std::vector<LaneMask> levels_;  ///< lanes of each level
};

}  // namespace td::sim
