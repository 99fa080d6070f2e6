// SPDX-License-Identifier: Apache-2.0
// What the gates of each kind of block did and used: the sum over a module's instances.
#pragma once

#include <string>
#include <vector>

#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/power/power.hpp"

namespace td::gate_replay {

/// All instances of the modules with one name, without the modules inside them.
struct BlockActivity {
  std::string block;  ///< as block_name() shortens it
  int instances = 0;
  std::int64_t gates = 0;
  double toggles_per_clock = 0;  ///< of the nets that its gates drive
  gate::PowerGroups power;       ///< zero when not worked out
};

/// Name of a block behind its module's: without the configuration's name in front, and without what
/// synthesis writes around it for parameters (`$paramod…`).
std::string block_name(const std::string& module, const std::string& configuration);

/// Sorted by name. `power` is that of netlist.blocks, or empty.
std::vector<BlockActivity> block_activities(const gate::Netlist& netlist,
                                            const gate::Library& library,
                                            const std::string& configuration,
                                            const gate::Activity& activity,
                                            const std::vector<gate::PowerGroups>& power);

/// Adds part by part.
void add(const gate::PowerGroups& from, gate::PowerGroups& to);

}  // namespace td::gate_replay
