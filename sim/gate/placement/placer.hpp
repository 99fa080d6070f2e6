// SPDX-License-Identifier: Apache-2.0
// Placement from beginning to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/gate/layout/layout.hpp"
#include "sim/gate/placement/path_weights.hpp"
#include "sim/gate/placement/rows.hpp"
#include "sim/gate/placement/wiring.hpp"

namespace td::gate {

struct PlacerOptions {
  CellShapes shapes;
  WireRules rules;
  PortShares ports;
  double port_pitch = 0;      ///< ports are so far apart, at least, if there is room, µm
  double utilisation = 0.85;  ///< of the core, without buffers that are added
  std::uint64_t seed = 1;
};

/// Of the clock's tree.
struct ClockFigures {
  std::size_t buffers = 0;
  double buffers_um2 = 0;
  std::size_t levels = 0;  ///< cells in front of each register
  double wire_um = 0;
  double pF = 0;  ///< pins and wire of all its nets
};

/// Cells in rows, none over another, with buffers among them.
struct Placed {
  Core core;
  Places places;  ///< of all vertices, buffers behind them
  Rows rows;
  Wiring wiring;
  double wire_um = 0;              ///< without the clock's
  std::vector<double> wire_um_of;  ///< of each net of the netlist, with its repeaters', likewise
  std::size_t sinks = 0;           ///< of nets, without repeaters and the clock's
  double repeaters_um2 = 0;
  ClockFigures clock;
};

/// The same for the same layout and options. The layout gets the buffers. `clock_nets`: those that
/// it does not wire. Throws UserError: cells and buffers have no room in the core.
Placed place(const std::vector<Net>& clock_nets, const Netlist& netlist, const Library& library,
             const PlacerOptions& options, Layout& layout);

}  // namespace td::gate
