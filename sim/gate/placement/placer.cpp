// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/placer.hpp"

#include "sim/gate/placement/path_weights.hpp"
#include "sim/gate/placement/quadratic.hpp"

namespace td::gate {

namespace {

/// Lengths, counts and areas of what has its place.
void measure(const Layout& layout, const Library& library, const WireRules& rules, Placed& placed) {
  const Wiring& wiring = placed.wiring;
  for (std::size_t number = 0; number < wiring.wires.size(); ++number) {
    const Wire& wire = wiring.wires[number];
    const double length = tree_of(layout, wire, placed.places).length();
    if (number < wiring.clock_begin) {
      placed.wire_um += length;
      placed.sinks += wire.sinks.size();
      continue;
    }
    placed.clock.wire_um += length;
    placed.clock.pF += length * rules.pF_per_um;
    for (const PlacedPin& sink : wire.sinks) placed.clock.pF += pin_pF(layout, library, sink);
  }
  placed.sinks -= wiring.repeaters;
  placed.repeaters_um2 = static_cast<double>(wiring.repeaters) * library.cells[rules.repeater].area;
  placed.clock.buffers = layout.buffers() - wiring.repeaters;
  placed.clock.buffers_um2 =
      static_cast<double>(placed.clock.buffers) * library.cells[rules.clock_buffer].area;
}

}  // namespace

Placed place(const std::vector<Net>& clock_nets, const Netlist& netlist, const Library& library,
             const PlacerOptions& options, Layout& layout) {
  Placed placed;
  placed.core = core_of(layout, options.utilisation);
  const PathWeights paths(netlist, library, layout);
  Weights weights;
  placed.places = place_globally(layout, placed.core, paths, options.seed, weights);
  placed.rows = put_into_rows(layout, placed.core, placed.places);
  weights = paths.of(placed.places);
  exchange(layout, placed.core, weights, placed.rows, placed.places);
  std::vector<Vertex> inserted =
      move_clock_gates(clock_nets, netlist, library, layout, placed.places);
  take_out(inserted, placed.rows);
  placed.wiring = with_repeaters(library, options.rules, layout, placed.places);
  placed.clock.levels = add_clock_tree(clock_nets, netlist, library, options.rules, layout,
                                       placed.places, placed.wiring);
  for (std::size_t i = 0; i < layout.buffers(); ++i)
    inserted.push_back(static_cast<Vertex>(layout.vertices() + i));
  placed.outside_rows = insert(layout, placed.core, inserted, placed.rows, placed.places);
  move_to_sites(layout, placed.core, placed.rows, placed.places);
  measure(layout, library, options.rules, placed);
  return placed;
}

}  // namespace td::gate
