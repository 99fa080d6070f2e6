// SPDX-License-Identifier: Apache-2.0
// Flattens bound modules into one netlist.
#include "sim/gate/netlist/netlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/support/error.hpp"
#include "sim/gate/netlist/module_template.hpp"
#include "sim/gate/netlist/yosys_json.hpp"

namespace td::gate {

namespace {

/// Pins, nets or blocks of a flat netlist: a tile has some millions.
constexpr std::uint64_t max_size = std::uint64_t{1} << 28;

std::vector<YosysModule> read_all(const std::vector<std::string>& paths) {
  std::vector<YosysModule> modules;
  for (const std::string& path : paths) {
    std::vector<YosysModule> some = read_yosys_json(path);
    modules.insert(modules.end(), std::make_move_iterator(some.begin()),
                   std::make_move_iterator(some.end()));
  }
  return modules;
}

/// Of the nets of a block, `nets` by their numbers in its module, those that it does not only read.
/// A block inside that drives one has a name for it that is nearer to what drives it.
void name_nets(const ModuleTemplate& module, int block, const std::vector<Net>& nets,
               Netlist& netlist) {
  std::vector<char> read(nets.size(), 0);
  for (const Port& port : module.ports) {
    if (port.direction == PinDirection::output || module.name == netlist.top) continue;
    for (const Net inner : port.bits) read[at(inner)] = 1;
  }
  netlist.net_names.resize(at(netlist.nets));
  for (std::size_t inner = 2; inner < nets.size(); ++inner) {
    if (read[inner] == 0 && module.net_names[inner] >= 0)
      netlist.net_names[at(nets[inner])] = {block, module.net_names[inner]};
  }
}

/// Adds an instance and what is in it. `outer` has the net of each port bit, or no_net.
void add_block(const ModuleTemplate& module, int block, const std::vector<Net>& outer,
               Netlist& netlist) {
  std::vector<Net> nets(at(module.nets), no_net);
  nets[at(net_zero)] = net_zero;
  nets[at(net_one)] = net_one;
  std::size_t bit = 0;
  for (const Port& port : module.ports) {
    for (const Net inner : port.bits) {
      const Net net = outer[bit++];
      if (net != no_net) nets[at(inner)] = net;
    }
  }
  for (Net& net : nets) {
    if (net == no_net) net = netlist.nets++;
  }
  name_nets(module, block, nets, netlist);
  const auto outside = [&nets](Net inner) { return inner == no_net ? no_net : nets[at(inner)]; };
  std::vector<Port> ports = module.ports;
  for (Port& port : ports)
    std::transform(port.bits.begin(), port.bits.end(), port.bits.begin(), outside);
  netlist.blocks[static_cast<std::size_t>(block)].ports = std::move(ports);
  const auto first = static_cast<std::int32_t>(netlist.pin_nets.size());
  for (Gate gate : module.gates) {
    gate.block = block;
    gate.first += first;
    netlist.gates.push_back(gate);
  }
  for (const Net inner : module.pin_nets) netlist.pin_nets.push_back(outside(inner));
  for (const ChildInstance& child : module.children) {
    const auto number = static_cast<int>(netlist.blocks.size());
    const std::string& path = netlist.blocks[static_cast<std::size_t>(block)].path;
    netlist.blocks.push_back(
        {path.empty() ? child.name : path + "/" + child.name, child.module->name, block, {}});
    std::vector<Net> child_nets;
    for (const Net inner : child.nets) child_nets.push_back(outside(inner));
    add_block(*child.module, number, child_nets, netlist);
  }
}

/// The top's ports, with a net of its own for each bit that is not a constant.
void add_top(const ModuleTemplate& top, Netlist& netlist) {
  netlist.top = top.name;
  netlist.blocks.push_back({"", top.name, -1, {}});
  std::vector<Net> numbers(at(top.nets), no_net);
  numbers[at(net_zero)] = net_zero;
  numbers[at(net_one)] = net_one;
  std::vector<Net> outer;
  for (const Port& port : top.ports) {
    Port flat{port.name, port.direction, {}};
    for (const Net inner : port.bits) {
      Net& net = numbers[at(inner)];
      if (net == no_net) net = netlist.nets++;
      flat.bits.push_back(net);
      outer.push_back(net);
    }
    netlist.ports.push_back(std::move(flat));
  }
  add_block(top, 0, outer, netlist);
}

void check_drivers(const Netlist& netlist, const Library& library, const std::string& file) {
  std::vector<char> driven(at(netlist.nets), 0);
  driven[at(net_zero)] = driven[at(net_one)] = 1;
  const auto drive = [&](Net net, const std::string& path, const std::string& pin) {
    if (std::exchange(driven[at(net)], 1) != 0)
      throw UserError(file, path.empty() ? pin : path + "." + pin, "a second driver",
                      "one driver to a net");
  };
  for (const Port& port : netlist.ports) {
    if (port.direction == PinDirection::output) continue;
    for (const Net net : port.bits) drive(net, "", port.name);
  }
  for (const Gate& gate : netlist.gates) {
    const Cell& cell = library.cells[static_cast<std::size_t>(gate.cell)];
    for (std::size_t i = 0; i < cell.pins.size(); ++i) {
      const Net net = netlist.pin_nets[static_cast<std::size_t>(gate.first) + i];
      if (cell.pins[i].direction == PinDirection::input || net == no_net) continue;
      // The name is made only where it is needed: there are millions.
      if (driven[at(net)] != 0) drive(net, netlist.gate_path(gate), cell.pins[i].name);
      driven[at(net)] = 1;
    }
  }
}

}  // namespace

const Port& Netlist::port(std::string_view name) const {
  for (const Port& port : ports) {
    if (port.name == name) return port;
  }
  throw std::out_of_range(fmt::format("{}: no port {}", top, name));
}

std::string Netlist::gate_path(const Gate& gate) const {
  const std::string& block = blocks[static_cast<std::size_t>(gate.block)].path;
  const std::string& name = names[static_cast<std::size_t>(gate.name)];
  return block.empty() ? name : block + "/" + name;
}

std::string Netlist::net_path(Net net) const {
  const NetName& name = net_names[static_cast<std::size_t>(net)];
  if (name.block < 0) return "";
  const std::string& block = blocks[static_cast<std::size_t>(name.block)].path;
  const std::string& last = names[static_cast<std::size_t>(name.name)];
  return block.empty() ? last : block + "/" + last;
}

Netlist read_netlist(const std::vector<std::string>& paths, const std::string& top,
                     const Library& library) {
  const std::vector<YosysModule> modules = read_all(paths);
  const std::string file = paths.empty() ? "netlist" : paths.front();
  Netlist netlist;
  TemplateSet set(modules, library, netlist.names);
  const ModuleTemplate& bound = set.bind(top, file, "top");
  if (bound.all_pins > max_size || bound.all_nets > max_size || bound.all_blocks > max_size)
    throw UserError(bound.file, "size", "more",
                    fmt::format("at most {} pins, nets and instances", max_size));
  add_top(bound, netlist);
  check_drivers(netlist, library, bound.file);
  return netlist;
}

}  // namespace td::gate
