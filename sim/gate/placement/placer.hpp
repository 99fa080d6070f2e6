// SPDX-License-Identifier: Apache-2.0
// Placement from beginning to end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/gate/placement/layout.hpp"
#include "sim/gate/placement/rows.hpp"
#include "sim/gate/placement/wiring.hpp"

namespace td::gate {

struct PlacerOptions {
  CellShapes shapes;
  WireRules rules;
  double utilisation = 0.9;  ///< of the core, without repeaters
  std::uint64_t seed = 1;
};

/// Cells in rows, none over another, with repeaters among them.
struct Placed {
  Core core;
  Places places;  ///< of all vertices, repeaters behind them
  Rows rows;
  Wiring wiring;
  double wire_um = 0;
  std::size_t sinks = 0;  ///< of nets, without repeaters
  double repeaters_um2 = 0;
  std::size_t outside_rows = 0;  ///< repeaters that no row had room for
};

/// The same for the same layout and options.
Placed place(const Layout& layout, const Netlist& netlist, const Library& library,
             const PlacerOptions& options);

}  // namespace td::gate
