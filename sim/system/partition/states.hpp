// SPDX-License-Identifier: Apache-2.0
// Where a network can be cut: the antichains of its graph, as PipeDream's partitioner walks them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/profile/network_profile.hpp"

namespace td::job {

/// A cut; sums are over its layers and all that those need.
struct CutState {
  double seconds = 0;     ///< forward and backward
  double forward = 0;     ///< seconds, forward only
  double parameters = 0;  ///< bytes
  double activation = 0;  ///< bytes
  double output = 0;      ///< bytes that cross the cut: of the augmented antichain
  std::vector<std::uint32_t> earlier = {};  ///< states from which it is reached, ascending
};

/// All cuts in a topological order; the last is the whole network. Throws UserError naming `source`
/// when there are more than partition() can bear, or when no cut is the whole network.
std::vector<CutState> cut_states(const NetworkProfile& profile, const std::string& source);

}  // namespace td::job
