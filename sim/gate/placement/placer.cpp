// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/placer.hpp"

#include <fmt/format.h>

#include "base/support/error.hpp"
#include "sim/gate/placement/path_weights.hpp"
#include "sim/gate/placement/quadratic.hpp"

namespace td::gate {

namespace {

/// Lengths, counts and areas of what has its place.
void measure(const Netlist& netlist, const Layout& layout, const Library& library,
             const WireRules& rules, Placed& placed) {
  const Wiring& wiring = placed.wiring;
  placed.wire_um_of.assign(at(netlist.nets), 0);
  for (std::size_t number = 0; number < wiring.wires.size(); ++number) {
    const Wire& wire = wiring.wires[number];
    const double length = tree_of(layout, wire, placed.places).length();
    if (number < wiring.clock_begin) {
      placed.wire_um += length;
      placed.wire_um_of[at(wire.net)] += length;
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

/// What each wire weighs: as its net does, and 1 if that is the clock's.
Weights weights_of(const Wiring& wiring, const Netlist& netlist, const Layout& layout,
                   const Weights& weights) {
  Weights by_net(at(netlist.nets), 1);
  for (std::size_t number = 0; number < layout.nets(); ++number)
    by_net[at(layout.net(number))] = weights[number];
  Weights found;
  for (const Wire& wire : wiring.wires) found.push_back(by_net[at(wire.net)]);
  return found;
}

/// Puts the cells of a layout, buffers among them, into rows: where buffers stand, others make
/// room.
Rows legal_rows(const Layout& layout, const Core& core, const Weights& weights, double utilisation,
                Places& places) {
  spread(layout, core, places);
  Rows rows = put_into_rows(layout, core, places);
  const std::size_t without = shorten(layout, core, rows, places);
  if (without > 0) {
    throw UserError("command line", "--utilisation", fmt::format("{}", utilisation),
                    fmt::format("less: {} of {} cells and buffers have no room in a row", without,
                                layout.cells()));
  }
  exchange(layout, core, weights, rows, places);
  move_to_sites(layout, core, rows, places);
  return rows;
}

/// Puts gates and buffers into rows, in a layout in which they are alike. `weights`: of wires.
void put_all_into_rows(const Layout& layout, const Weights& weights, double utilisation,
                       Placed& placed) {
  const Layout all = layout.with(placed.wiring.wires);
  std::vector<Vertex> vertex_of(placed.places.size());  // by number there
  Places places(placed.places.size());
  for (std::size_t vertex = 0; vertex < places.size(); ++vertex) {
    const auto there = at(layout.beside_buffers(static_cast<Vertex>(vertex)));
    vertex_of[there] = static_cast<Vertex>(vertex);
    places[there] = placed.places[vertex];
  }
  Weights of_nets;
  for (std::size_t number = 0; number < all.nets(); ++number)
    of_nets.push_back(weights[at(all.net(number))]);
  placed.rows = legal_rows(all, placed.core, of_nets, utilisation, places);
  for (std::size_t there = 0; there < places.size(); ++there)
    placed.places[at(vertex_of[there])] = places[there];
  for (std::vector<Vertex>& row : placed.rows) {
    for (Vertex& cell : row) cell = vertex_of[at(cell)];
  }
}

}  // namespace

Placed place(const std::vector<Net>& clock_nets, const Netlist& netlist, const Library& library,
             const PlacerOptions& options, Layout& layout) {
  Placed placed;
  placed.core = core_of(layout, options.utilisation);
  const PathWeights paths(netlist, library, layout, options.rules, options.ports);
  placed.places = place_globally(layout, placed.core, options.port_pitch, paths, options.seed);
  const Weights weights = paths.of(placed.places);
  move_clock_gates(clock_nets, netlist, library, layout, placed.places);
  placed.wiring = with_repeaters(library, options.rules, layout, placed.places);
  placed.clock.levels = add_clock_tree(clock_nets, netlist, library, options.rules, layout,
                                       placed.places, placed.wiring);
  put_all_into_rows(layout, weights_of(placed.wiring, netlist, layout, weights),
                    options.utilisation, placed);
  measure(netlist, layout, library, options.rules, placed);
  return placed;
}

}  // namespace td::gate
