// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/replay/block_activity.hpp"

#include <map>

#include "base/support/version.hpp"

namespace td::gate_replay {
namespace {

/// Toggles of the nets that a gate drives.
double toggles(const gate::Gate& gate, const gate::Netlist& netlist, const gate::Library& library,
               const gate::Activity& activity) {
  double sum = 0;
  const gate::Cell& cell = library.cells[static_cast<std::size_t>(gate.cell)];
  for (std::size_t pin = 0; pin < cell.pins.size(); ++pin) {
    const gate::Net net = netlist.pin_nets[static_cast<std::size_t>(gate.first) + pin];
    if (cell.pins[pin].direction != gate::PinDirection::output || net == gate::no_net) continue;
    sum += activity.toggles_per_clock[static_cast<std::size_t>(net)];
  }
  return sum;
}

}  // namespace

std::string block_name(const std::string& module, const std::string& configuration) {
  std::string name = module;
  // `$paramod\NAME\PARAMETER=…`, or `$paramod$HASH\NAME` where that would be too long.
  if (name.rfind("$paramod", 0) == 0) {
    const std::size_t begin = name.find('\\') + 1;
    name = name.substr(begin, name.find('\\', begin) - begin);
  }
  for (const std::string& owner : {std::string(kGeneration), configuration}) {
    const std::string prefix = owner + '_';
    if (name.rfind(prefix, 0) == 0) return name.substr(prefix.size());
  }
  return name;
}

std::vector<BlockActivity> block_activities(const gate::Netlist& netlist,
                                            const gate::Library& library,
                                            const std::string& configuration,
                                            const gate::Activity& activity,
                                            const std::vector<gate::PowerGroups>& power) {
  std::map<std::string, BlockActivity> by_name;
  std::vector<BlockActivity*> of_block;
  for (std::size_t i = 0; i < netlist.blocks.size(); ++i) {
    const std::string name = block_name(netlist.blocks[i].module, configuration);
    BlockActivity& block = by_name[name];
    block.block = name;
    ++block.instances;
    if (!power.empty()) add(power[i], block.power);
    of_block.push_back(&block);
  }
  for (const gate::Gate& gate : netlist.gates) {
    BlockActivity& block = *of_block[static_cast<std::size_t>(gate.block)];
    ++block.gates;
    block.toggles_per_clock += toggles(gate, netlist, library, activity);
  }
  std::vector<BlockActivity> blocks;
  for (auto& entry : by_name) blocks.push_back(std::move(entry.second));
  return blocks;
}

void add(const gate::PowerGroups& from, gate::PowerGroups& to) {
  to.sequential += from.sequential;
  to.combinational += from.combinational;
  to.clock_tree += from.clock_tree;
}

}  // namespace td::gate_replay
