// SPDX-License-Identifier: Apache-2.0
// A run as a timeline, for viewers of traces.
#pragma once

#include <string>

#include "sim/results/run_result.hpp"

namespace td::sim {

/// A timeline in the JSON of Chrome's trace viewer and Perfetto: the operations one behind the
/// other on TensorDash and on dense tiles, from memory to memory or, without the machine, of
/// compute alone. Tracks show for how long each keeps the slowest tile and the bus busy. Times in
/// µs at the technology's clock; `args` has the same in cycles, and where the cycles of tiles that
/// are always served went.
std::string timeline_json(const RunResult& result);

}  // namespace td::sim
