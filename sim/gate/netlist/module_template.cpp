// SPDX-License-Identifier: Apache-2.0
// Binds one module: its cells' pins by name, its nets by union where children join them.
#include "sim/gate/netlist/module_template.hpp"

#include <fmt/format.h>

#include <limits>
#include <unordered_map>
#include <utility>

#include "base/support/error.hpp"

namespace td::gate {

namespace {

/// Nesting of modules; more is a mistake, and would use up the stack.
constexpr int max_depth = 200;

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return a > most - b ? most : a + b;
}

/// Nets of one module while it is bound: sets of joined ones.
class NetSets {
 public:
  NetSets() : parent_{net_zero, net_one} {}

  Net of_bit(YosysBit bit) {
    if (bit < 2) return bit;
    const auto [found, is_new] = number_.try_emplace(bit, static_cast<Net>(parent_.size()));
    if (is_new) parent_.push_back(found->second);
    return found->second;
  }

  /// no_net of a bit that nothing uses.
  Net find(YosysBit bit) const {
    if (bit < 2) return bit;
    const auto found = number_.find(bit);
    return found == number_.end() ? no_net : found->second;
  }

  /// False when it would join the constants.
  bool join(Net a, Net b) {
    a = root(a);
    b = root(b);
    if (a > b) std::swap(a, b);
    if (a != b && b == net_one) return false;
    parent_[index(b)] = a;
    return true;
  }

  /// Final numbers, without gaps.
  std::vector<Net> numbers(Net& count) {
    std::vector<Net> result(parent_.size());
    count = 0;
    for (Net net = 0; net < static_cast<Net>(parent_.size()); ++net) {
      const Net first = root(net);  // never a later one
      result[index(net)] = first == net ? count++ : result[index(first)];
    }
    return result;
  }

 private:
  static std::size_t index(Net net) { return static_cast<std::size_t>(net); }

  Net root(Net net) {
    while (parent_[index(net)] != net) {
      parent_[index(net)] = parent_[index(parent_[index(net)])];
      net = parent_[index(net)];
    }
    return net;
  }

  std::vector<Net> parent_;
  std::unordered_map<YosysBit, Net> number_;
};

class Binder {
 public:
  Binder(const YosysModule& source, const Library& library, std::vector<std::string>& names,
         ModuleTemplate& bound)
      : source_(source), library_(library), names_(names), bound_(bound) {}

  void bind(TemplateSet& set) {
    bound_.name = source_.name;
    bound_.file = source_.file;
    for (const YosysPort& port : source_.ports) add_port(port);
    for (const YosysCell& cell : source_.cells) {
      const int number = library_.index(cell.type);
      if (number >= 0) {
        add_gate(cell, number);
      } else {
        add_child(cell, set.bind(cell.type, source_.file, field(cell)));
      }
    }
    renumber();
  }

 private:
  std::string field(const YosysCell& cell) const { return source_.name + "." + cell.name; }

  [[noreturn]] void refuse(const std::string& what, const std::string& value,
                           const std::string& legal) const {
    throw UserError(source_.file, what, value, legal);
  }

  void add_port(const YosysPort& port) {
    Port result{port.name, port.direction, {}};
    for (const YosysBit bit : port.bits) result.bits.push_back(sets_.of_bit(bit));
    bound_.ports.push_back(std::move(result));
  }

  void add_gate(const YosysCell& cell, int number) {
    const Cell& kind = library_.cells[static_cast<std::size_t>(number)];
    if (kind.other_state)
      refuse(field(cell), cell.type,
             "cells with one state at most, and no state table: they are simulated");
    const std::size_t first = bound_.pin_nets.size();
    bound_.pin_nets.resize(first + kind.pins.size(), no_net);
    for (const YosysConnection& connection : cell.connections) {
      const int pin = kind.pin(connection.port);
      const std::string pin_field = field(cell) + "." + connection.port;
      if (pin < 0) refuse(pin_field, "a pin", "the pins of " + kind.name);
      if (connection.bits.size() > 1)
        refuse(pin_field, fmt::format("{} bits", connection.bits.size()), "1 bit");
      if (!connection.bits.empty())
        bound_.pin_nets[first + static_cast<std::size_t>(pin)] = sets_.of_bit(connection.bits[0]);
    }
    check_pins(cell, kind, first);
    names_.push_back(cell.name);
    bound_.gates.push_back({number, 0, static_cast<std::int32_t>(first),
                            static_cast<std::int32_t>(names_.size() - 1)});
  }

  void check_pins(const YosysCell& cell, const Cell& kind, std::size_t first) const {
    for (std::size_t i = 0; i < kind.pins.size(); ++i) {
      const Pin& pin = kind.pins[i];
      const bool connected = bound_.pin_nets[first + i] != no_net;
      if (pin.direction == PinDirection::input && !connected)
        refuse(field(cell) + "." + pin.name, "(not connected)", "a net");
      if (pin.direction == PinDirection::output && connected && pin.function.empty())
        refuse(field(cell), kind.name, "cells whose outputs have a function in " + library_.path);
    }
  }

  void add_child(const YosysCell& cell, const ModuleTemplate& module) {
    ChildInstance child{cell.name, &module, {}};
    for (const Port& port : module.ports) add_port_nets(cell, module, port, child.nets);
    for (const YosysConnection& connection : cell.connections) {
      if (module.find_port(connection.port) == nullptr)
        refuse(field(cell) + "." + connection.port, "a port", "the ports of module " + module.name);
    }
    join_through(cell, module, child.nets);
    bound_.all_pins = saturating_sum(bound_.all_pins, module.all_pins);
    bound_.all_nets = saturating_sum(bound_.all_nets, module.all_nets);
    bound_.all_blocks = saturating_sum(bound_.all_blocks, module.all_blocks);
    bound_.children.push_back(std::move(child));
  }

  /// Appends the nets of a child's port, no_net where nothing is connected.
  void add_port_nets(const YosysCell& cell, const ModuleTemplate& module, const Port& port,
                     std::vector<Net>& nets) {
    const YosysConnection* connected = nullptr;
    for (const YosysConnection& connection : cell.connections) {
      if (connection.port == port.name) connected = &connection;
    }
    if (connected == nullptr || connected->bits.empty()) {
      nets.resize(nets.size() + port.bits.size(), no_net);
      return;
    }
    if (connected->bits.size() != port.bits.size()) {
      refuse(field(cell) + "." + port.name, fmt::format("{} bits", connected->bits.size()),
             fmt::format("{} bits, as in module {}", port.bits.size(), module.name));
    }
    for (const YosysBit bit : connected->bits) nets.push_back(sets_.of_bit(bit));
  }

  /// Joins the nets of port bits that the child itself joins: wires from input to output, an
  /// output that is a constant, one net at two outputs.
  void join_through(const YosysCell& cell, const ModuleTemplate& module,
                    const std::vector<Net>& nets) {
    std::unordered_map<Net, Net> outer{{net_zero, net_zero}, {net_one, net_one}};
    std::size_t i = 0;
    for (const Port& port : module.ports) {
      for (const Net inner : port.bits) {
        const Net net = nets[i++];
        if (net == no_net) continue;
        const auto [found, is_new] = outer.try_emplace(inner, net);
        if (!is_new && !sets_.join(found->second, net))
          refuse(field(cell) + "." + port.name, "0 on a net that is 1", "one driver to a net");
      }
    }
  }

  /// The first name of each net that something uses. `numbers`: of sets, by member.
  void name_nets(const std::vector<Net>& numbers) {
    bound_.net_names.assign(static_cast<std::size_t>(bound_.nets), -1);
    for (const YosysName& name : source_.names) {
      for (std::size_t i = 0; i < name.bits.size(); ++i) {
        const Net member = sets_.find(name.bits[i]);
        if (member == no_net) continue;
        std::int32_t& number = bound_.net_names[at(numbers[at(member)])];
        if (number >= 0) continue;
        number = static_cast<std::int32_t>(names_.size());
        names_.push_back(name.bits.size() == 1 ? name.name : fmt::format("{}[{}]", name.name, i));
      }
    }
  }

  /// From numbers of sets' members to those of sets.
  void renumber() {
    const std::vector<Net> numbers = sets_.numbers(bound_.nets);
    const auto change = [&numbers](std::vector<Net>& nets) {
      for (Net& net : nets) {
        if (net != no_net) net = numbers[static_cast<std::size_t>(net)];
      }
    };
    for (Port& port : bound_.ports) change(port.bits);
    change(bound_.pin_nets);
    for (ChildInstance& child : bound_.children) change(child.nets);
    name_nets(numbers);
    bound_.all_pins = saturating_sum(bound_.all_pins, bound_.pin_nets.size());
    bound_.all_nets = saturating_sum(bound_.all_nets, static_cast<std::uint64_t>(bound_.nets));
  }

  const YosysModule& source_;
  const Library& library_;
  std::vector<std::string>& names_;
  ModuleTemplate& bound_;
  NetSets sets_;
};

}  // namespace

const Port* ModuleTemplate::find_port(const std::string& port_name) const {
  for (const Port& port : ports) {
    if (port.name == port_name) return &port;
  }
  return nullptr;
}

TemplateSet::TemplateSet(const std::vector<YosysModule>& modules, const Library& library,
                         std::vector<std::string>& names)
    : library_(library), names_(names) {
  for (const YosysModule& module : modules) {
    if (module.blackbox) continue;
    Entry& entry = entries_[module.name];
    if (entry.source != nullptr) {
      throw UserError(module.file, "module", module.name + " again",
                      "every module once; it is in " + entry.source->file);
    }
    entry.source = &module;
  }
}

const ModuleTemplate& TemplateSet::bind(const std::string& name, const std::string& file,
                                        const std::string& from) {
  const auto found = entries_.find(name);
  if (found == entries_.end())
    throw UserError(file, from, name.empty() ? "(no type)" : name,
                    "a cell of " + library_.path + ", or a module of the netlists");
  Entry& entry = found->second;
  if (entry.done) return entry.bound;
  if (entry.started) throw UserError(file, from, name, "a module that does not contain this one");
  if (++depth_ > max_depth)
    throw UserError(file, from, name, fmt::format("{} levels of modules", max_depth));
  entry.started = true;
  Binder(*entry.source, library_, names_, entry.bound).bind(*this);
  entry.done = true;
  --depth_;
  return entry.bound;
}

}  // namespace td::gate
