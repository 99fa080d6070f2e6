// SPDX-License-Identifier: Apache-2.0
// An operation by the reference model of the tile, pass by pass, as a replay sends them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/mapping/mapping.hpp"
#include "sim/model/tile.hpp"

namespace td::verify {

using Bits = std::vector<std::uint32_t>;

/// Calls `use(block, streams)` for every pass of an operation, in the order of a replay.
void each_pass(const Config& config, const sim::Mapping& mapping, sim::Which scheduled,
               const std::function<void(const sim::Block&, const sim::Pass&)>& use);

/// The index of what a pass's PE makes, by tile row and column; -1: it has no streams.
std::int64_t output_of(const sim::Mapping& mapping, const sim::Block& block,
                       const sim::Pass& streams, sim::Which scheduled, int row, int column);

/// All outputs, bits in the output's format; +0 where a block has no rows.
Bits reference_outputs(const Config& config, const sim::LayerInfo& layer, sim::Op op,
                       sim::Which scheduled, const Bits& first, const Bits& second);

}  // namespace td::verify
