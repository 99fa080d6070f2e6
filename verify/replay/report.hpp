// SPDX-License-Identifier: Apache-2.0
// The table that a replay ends with.
#pragma once

#include "sim/trace.hpp"
#include "verify/replay/bench.hpp"

namespace td::verify {

/// Prints one line for each layer and operation, their sum, and what the figures refer to. `trace`
/// may be null.
void print_report(const Config& config, const sim::Trace* trace, const Scoreboard& scoreboard,
                  const BenchResult& result);

}  // namespace td::verify
