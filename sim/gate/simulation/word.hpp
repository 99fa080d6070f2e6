// SPDX-License-Identifier: Apache-2.0
// The simulator's unit of data.
#pragma once

#include <cstdint>

namespace td::gate {

using Word = std::uint64_t;  ///< one bit per copy

}  // namespace td::gate
