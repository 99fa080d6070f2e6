// SPDX-License-Identifier: Apache-2.0
// What the nets of a placed netlist load, as tdplace writes it.
#pragma once

#include <string>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/netlist/netlist.hpp"

namespace td::gate {

/// Of a net: pins of cells and wire, pF.
struct NetLoad {
  bool placed = false;   ///< others drive nothing
  double driver_pF = 0;  ///< that its driver drives
  double behind_pF = 0;  ///< that its buffers drive, together
  int buffers = 0;       ///< repeaters, or those of the clock's tree
};

struct NetLoads {
  std::size_t repeater = 0;      ///< a cell's number in the library
  std::size_t clock_buffer = 0;  ///< likewise
  std::vector<NetLoad> nets;     ///< by net; empty: the netlist is not placed
};

/// Reads a line "tensordash-loads-3 REPEATER CLOCK_BUFFER", and for each placed net a line "NET
/// DRIVER_PF BEHIND_PF BUFFERS", each once; nets by their numbers in the same netlist,
/// of which those behind a buffer that take_out_buffers() took out have no line. Throws
/// UserError.
NetLoads read_net_loads(const std::string& path, const Netlist& netlist, const Library& library);

}  // namespace td::gate
