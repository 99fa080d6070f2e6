// SPDX-License-Identifier: Apache-2.0
// Two results side by side.
#pragma once

#include <string>

#include "sim/results/stored_result.hpp"

namespace td::sim {

/// What was run differently, notes of one only, the operations that both results have with the
/// cycles of both and their totals, the totals of cycles and energy with memory, and which
/// operations only one of them has.
std::string comparison_text(const StoredResult& a, const StoredResult& b);

}  // namespace td::sim
