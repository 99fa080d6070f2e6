// SPDX-License-Identifier: Apache-2.0
// Two operations interleaved on one simulated accelerator: HFuse's idea on resources that tdsim
// counts. One that waits for the DRAM leaves its tiles to one that does not.
#pragma once

#include <string>
#include <vector>

#include "sim/system/graph/graph.hpp"

namespace td::job {

/// Seconds that an operation keeps each resource of the accelerator busy.
struct AcceleratorWork {
  std::string name;
  double tiles = 0;
  double transposers = 0;
  double dram = 0;
};

/// The resource that it keeps busy longest: "tiles", "transposers" or "dram".
const char* bottleneck_of(const AcceleratorWork& work);

/// The operations side by side, each cut into so many equal chunks: a chunk goes through DRAM and
/// transposers to the tiles, and three chunks of an operation are on the chip at a time. A resource
/// takes what was ready first.
Graph interleaved(const std::vector<AcceleratorWork>& works, int chunks, const std::string& source);

/// No order is faster: the sum of the busiest resource.
double least_seconds(const std::vector<AcceleratorWork>& works);

}  // namespace td::job
