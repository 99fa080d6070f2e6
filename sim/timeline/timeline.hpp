// SPDX-License-Identifier: Apache-2.0
// A run as a timeline, for viewers of traces.
#pragma once

#include <string>

#include "sim/results/run_result.hpp"

namespace td::sim {

/// A timeline in the JSON of Chrome's trace viewer and Perfetto: the operations one behind the
/// other on TensorDash and on dense tiles, each from its begin to the end of the slowest of tiles,
/// transposers and DRAM, which have a track each. Times in µs at the technology's clock; `args` has
/// the same in cycles, and where the tiles' cycles went.
std::string timeline_json(const RunResult& result);

}  // namespace td::sim
