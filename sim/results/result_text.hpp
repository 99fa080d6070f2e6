// SPDX-License-Identifier: Apache-2.0
// The forms in which a result leaves the program: for people, and for other programs.
#pragma once

#include <cstddef>
#include <string>

#include "sim/results/run_result.hpp"

namespace td::sim {

constexpr std::size_t kTerminalWidth = 120;
constexpr std::size_t kLeastLayerWidth = 12;

/// For a terminal: what was run, a table of operations and totals, and where the multipliers'
/// cycles went.
std::string result_table(const RunResult& result);

/// Everything in RunResult and its totals; `format` is kResultFormat. Bytes of a path that
/// are no UTF-8 are replaced.
std::string result_json(const RunResult& result);

/// One line for each operation, beginning with the identities of tile, accelerator and operands;
/// quoted as RFC 4180 has it, lines end in LF. There is at least one operation.
std::string result_csv(const RunResult& result);

}  // namespace td::sim
