// SPDX-License-Identifier: Apache-2.0
// Two operations interleaved on one simulated accelerator: HFuse's idea on resources that tdsim
// counts. One that waits for the bus leaves its tiles to one that does not.
#pragma once

#include <string>
#include <vector>

#include "sim/system/graph/graph.hpp"

namespace td::job {

/// Seconds that an operation keeps each resource of the accelerator busy.
struct AcceleratorWork {
  std::string name;
  double reads = 0;  ///< of the bus
  double tiles = 0;
  double writes = 0;  ///< of the bus
};

/// The resource that it keeps busy longest: "reads", "tiles" or "writes".
const char* bottleneck_of(const AcceleratorWork& work);

/// The operations side by side, each cut into so many equal chunks: a chunk comes over the bus
/// to the tiles, and its results leave over it, and three chunks of an operation are on the chip at
/// a time. A resource takes what was ready first.
Graph interleaved(const std::vector<AcceleratorWork>& works, int chunks, const std::string& source);

/// No order is faster: the sum of the busiest resource.
double least_seconds(const std::vector<AcceleratorWork>& works);

}  // namespace td::job
