// SPDX-License-Identifier: Apache-2.0
// Finds the lane behind a wrong output.
#pragma once

#include <cstdint>
#include <string>

#include "sim/tile.hpp"

namespace td::verify {

/// Looks for one lane in one cycle of the pass that explains `actual` (output bits) of a PE by
/// having multiplied nothing, or another element of its window than it should. Says which, or that
/// no single lane does.
std::string diagnose(const Config& config, const sim::PassData& pass, int tile_row, int column,
                     std::uint32_t actual);

}  // namespace td::verify
