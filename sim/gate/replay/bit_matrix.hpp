// SPDX-License-Identifier: Apache-2.0
// Turns 64 words of one tile each into 64 words of one bit each, and back.
#pragma once

#include <array>
#include <cstdint>

namespace td::gate_replay {

/// 64x64 bits: bit c of word r.
using BitMatrix = std::array<std::uint64_t, 64>;

/// Bit c of word r becomes bit r of word c.
void transpose(BitMatrix& matrix);

}  // namespace td::gate_replay
