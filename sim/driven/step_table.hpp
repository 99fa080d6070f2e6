// SPDX-License-Identifier: Apache-2.0
// What a training step took, operation by operation.
#pragma once

#include <string>

#include "sim/driven/driven_step.hpp"

namespace td::sim {

/// A line for each operation, and their sum. The timeline knows a memory without stalls.
std::string step_table(const StepRunResult& result);

}  // namespace td::sim
