// SPDX-License-Identifier: Apache-2.0
// The modules below a top, each bound once to library cells and to other modules.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/netlist/yosys_json.hpp"

namespace td::gate {

struct ModuleTemplate;

struct ChildInstance {
  std::string name;
  const ModuleTemplate* module = nullptr;
  std::vector<Net> nets;  ///< the parent's net of each of the module's port bits, or no_net
};

/// A module whose nets are numbered on their own, from 2; 0 and 1 are the constants. Nets that
/// something inside joins have one number.
struct ModuleTemplate {
  std::string name;
  std::string file;
  Net nets = 2;
  std::vector<Port> ports;
  std::vector<Gate> gates;  ///< `block` is unused
  std::vector<Net> pin_nets;
  std::vector<std::int32_t> net_names;  ///< by net: index of its name here, or -1
  std::vector<ChildInstance> children;
  std::uint64_t all_pins = 0;  ///< of gates, children's included
  std::uint64_t all_nets = 0;
  std::uint64_t all_blocks = 1;

  const Port* find_port(const std::string& port_name) const;
};

/// Binds `top` and what is below it. A name that is a library cell's is the cell, whatever modules
/// there are.
class TemplateSet {
 public:
  /// `names` receives the names of gates and nets. All arguments must outlive the set. Throws
  /// UserError.
  TemplateSet(const std::vector<YosysModule>& modules, const Library& library,
              std::vector<std::string>& names);

  /// `from` says, in messages, where the name stands.
  const ModuleTemplate& bind(const std::string& name, const std::string& file,
                             const std::string& from);

 private:
  struct Entry {
    const YosysModule* source = nullptr;
    bool started = false;
    bool done = false;
    ModuleTemplate bound;
  };

  std::map<std::string, Entry> entries_;
  const Library& library_;
  std::vector<std::string>& names_;
  int depth_ = 0;
};

}  // namespace td::gate
