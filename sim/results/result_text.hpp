// SPDX-License-Identifier: Apache-2.0
// The forms in which a result leaves the program: for people, and for other programs.
#pragma once

#include <string>

#include "sim/results/run_result.hpp"

namespace td::sim {

/// For a terminal: what was run, a table of operations and totals, and where the multipliers'
/// cycles went.
std::string result_table(const RunResult& result);

/// Everything in RunResult and its totals; `format` is kResultFormat. Bytes of a path that
/// are no UTF-8 are replaced.
std::string result_json(const RunResult& result);

/// One line for each operation, beginning with the identities of tile, accelerator and operands;
/// quoted as RFC 4180 has it, lines end in LF. There is at least one operation.
std::string result_csv(const RunResult& result);

/// A timeline in the JSON of Chrome's trace viewer and Perfetto: the operations one behind the
/// other on TensorDash and on dense tiles, each from its begin to the end of the slowest of tiles,
/// transposers and DRAM, which have a track each. Times in µs at the technology's clock; `args` has
/// the same in cycles, and where the tiles' cycles went.
std::string result_timeline(const RunResult& result);

}  // namespace td::sim
