// SPDX-License-Identifier: Apache-2.0
// Deals the streams of a pool to tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cycles/dealing/stream_profiles.hpp"

namespace td::sim {

/// Which stream takes each place of `classes` classes of `streams` streams each, of which
/// `tile_rows` in a row share a tile: those whose profiles leave the least to wait for.
/// profiles: [class, stream].
std::vector<std::uint32_t> deal_pool(const StreamProfile* profiles, std::int64_t classes,
                                     std::int64_t streams, std::int64_t tile_rows);

}  // namespace td::sim
