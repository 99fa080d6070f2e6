// SPDX-License-Identifier: Apache-2.0
// The timeline counts clocks one by one only where something else happens in them.
#pragma once

#include <cstdint>
#include <limits>

namespace td::sim {

/// Clocks in which a part only counts, or rests, as long as nothing else happens around it.
constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

}  // namespace td::sim
