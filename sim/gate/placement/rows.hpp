// SPDX-License-Identifier: Apache-2.0
// Detailed placement: cells in rows, none over another, and exchanged where that shortens wires.
#pragma once

#include <vector>

#include "sim/gate/layout/layout.hpp"
#include "sim/gate/placement/path_weights.hpp"

namespace td::gate {

/// The cells of each row, from left to right.
using Rows = std::vector<std::vector<Vertex>>;

/// Puts cells into rows near where they are: rows are filled alike, strip by strip.
Rows put_into_rows(const Layout& layout, const Core& core, Places& places);

/// Moves cells out of rows that are too long into the nearest that have room. Returns how many
/// found none.
std::size_t shorten(const Layout& layout, const Core& core, Rows& rows, Places& places);

/// Exchanges cells of the same width with cells near where their nets would have them, and
/// neighbours in a row, where boxes get smaller, times their weights. Rows stay legal.
void exchange(const Layout& layout, const Core& core, const Weights& weights, Rows& rows,
              Places& places);

/// Moves the cells of each row to sites, as little as that takes, in their order.
void move_to_sites(const Layout& layout, const Core& core, const Rows& rows, Places& places);

}  // namespace td::gate
