// SPDX-License-Identifier: Apache-2.0
// Emits the sequencer: what follows each step down the pipeline until its output leaves.
#pragma once

#include <string>

#include "gen/config.hpp"

namespace td {

/// Valid and final bits beside the datapath, the turns of the partial accumulators, the
/// `nonfinite` flags of the rows and columns, and the enable that holds everything while the
/// output buffer is full.
std::string emit_sequencer(const Config& config);

}  // namespace td
