// SPDX-License-Identifier: Apache-2.0
// The table that a replay ends with.
#pragma once

#include "sim/trace/trace.hpp"
#include "verify/replay/bench.hpp"

namespace td::verify {

/// Prints the lines above the table: the trace, what loading it did to its numbers, and which
/// operations training does not do.
void print_trace(const Config& config, const sim::Trace& trace,
                 const std::vector<std::string>& without_dgrad);

/// Prints one line for each layer and operation, their sum, and what the figures refer to; `design`
/// is BenchDesign::name.
void print_report(const std::string& design, const replay::Scoreboard& scoreboard,
                  const BenchResult& result);

}  // namespace td::verify
