// SPDX-License-Identifier: Apache-2.0
// Where the tensors of an operation lie in memory.
#pragma once

#include <cstdint>
#include <string>

#include "sim/accelerator/plan/operation.hpp"

namespace td::sim {

/// Where tensors lie in memory.
struct Placement {
  std::uint64_t operands[3] = {0, 0, 0};  ///< by Operand
  std::uint64_t result = 0;
};

/// Memory that jobs may touch: begin…end-1.
struct MemorySpan {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Throws UserError, which names `field`, when an operand or the result does not begin at a whole
/// row, is not within the memory, or overlaps another.
void check_placement(const Operation& operation, const Placement& placement,
                     const MemorySpan& memory, const std::string& field);

}  // namespace td::sim
