// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/placer.hpp"

#include "sim/gate/placement/path_weights.hpp"
#include "sim/gate/placement/quadratic.hpp"

namespace td::gate {

Placed place(const Layout& layout, const Netlist& netlist, const Library& library,
             const PlacerOptions& options) {
  Placed placed;
  placed.core = core_of(layout, options.utilisation);
  const PathWeights paths(netlist, library, layout);
  Weights weights;
  placed.places = place_globally(layout, placed.core, paths, options.seed, weights);
  placed.rows = put_into_rows(layout, placed.core, placed.places);
  weights = paths.of(placed.places);
  exchange(layout, placed.core, weights, placed.rows, placed.places);
  placed.wiring = with_repeaters(layout, netlist, library, options.rules, placed.places);
  const std::size_t repeaters = placed.wiring.repeaters;
  placed.outside_rows =
      insert_repeaters(layout, placed.core, repeaters, placed.rows, placed.places);
  move_to_sites(layout, placed.core, placed.rows, placed.places);
  for (const Wire& wire : placed.wiring.wires) {
    placed.wire_um += tree_of(layout, wire, placed.places).length();
    placed.sinks += wire.sinks.size();
  }
  placed.sinks -= repeaters;
  placed.repeaters_um2 =
      static_cast<double>(repeaters) * library.cells[options.rules.repeater].area;
  return placed;
}

}  // namespace td::gate
