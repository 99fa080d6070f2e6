// SPDX-License-Identifier: Apache-2.0
// Global placement: cells where wires are shortest, and then spread over the core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/gate/layout/layout.hpp"
#include "sim/gate/placement/path_weights.hpp"

namespace td::gate {

/// What pulls a cell to a place.
struct Anchors {
  Places places;
  double weight =
      0;  ///< times the inverse distance between a cell and its anchor; 0: there are none
};

/// Moves cells, not ports, along an axis to where the weighted squares of wires and of pulls to
/// anchors are least. A net is springs between its two outermost pins and from them to all others,
/// each times its weight and its inverse length before: their sum is then the net's extent
/// (bound-to-bound, P. Spindler et al., Kraftwerk2, TCAD 2008). `iterations`: of conjugate
/// gradients, at most.
void draw_together(const Layout& layout, const Weights& weights, const Anchors& anchors,
                   std::size_t axis, int iterations, Places& places);

/// Cells spread over the core in the order in which they lie, region by region: as many cells on
/// each side of a cut as have place there.
void spread(const Layout& layout, const Core& core, Places& places);

/// Cells near where they end, not yet in rows, and ports around the core. Places are the same for
/// the same `seed`, on any machine with the same arithmetic. Draws together, spreads, and draws
/// together again with growing pulls to where cells were spread (SimPL, M.-C. Kim et al., ICCAD
/// 2010). Ports, `port_pitch` µm apart, are drawn to where cells were spread while that leaves less
/// wire. Wires weigh what paths say where cells were spread.
Places place_globally(const Layout& layout, const Core& core, double port_pitch,
                      const PathWeights& paths, std::uint64_t seed);

}  // namespace td::gate
