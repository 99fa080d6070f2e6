// SPDX-License-Identifier: Apache-2.0
// A mapped netlist, flattened: library cells and the nets between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"

namespace td::gate {

using Net = std::int32_t;   ///< index of a net; 0 and 1 are the constants
constexpr Net no_net = -1;  ///< a pin without a net
constexpr Net net_zero = 0;
constexpr Net net_one = 1;

/// A number of a net or a gate, as containers want it.
constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

struct Port {
  std::string name;
  PinDirection direction = PinDirection::input;
  std::vector<Net> bits;  ///< lowest first
};

/// An instance of a module, the top included.
struct Block {
  std::string path;    ///< instance names joined by '/'; empty for the top
  std::string module;  ///< name of its module
  int parent = -1;
  std::vector<Port> ports;  ///< of the module, with the nets that they are here
};

struct Gate {
  std::int32_t cell = 0;   ///< index in Library::cells
  std::int32_t block = 0;  ///< index in Netlist::blocks
  std::int32_t first = 0;  ///< its nets are pin_nets[first + pin], pins as in the cell
  std::int32_t name = 0;   ///< index in Netlist::names: the instance's name in its module
};

/// What a net is called in the innermost block that drives it.
struct NetName {
  std::int32_t block = -1;  ///< index in Netlist::blocks; -1: it has no name
  std::int32_t name = -1;   ///< index in Netlist::names
};

struct Netlist {
  std::string top;
  std::vector<Block> blocks;  ///< parents before children
  std::vector<Gate> gates;
  std::vector<Net> pin_nets;
  std::vector<Port> ports;
  std::vector<std::string> names;
  Net nets = 2;                    ///< how many, the constants included
  std::vector<NetName> net_names;  ///< by net

  const Port& port(std::string_view name) const;  ///< throws std::out_of_range
  std::string gate_path(const Gate& gate) const;  ///< its block's path and its name, by '/'
  std::string net_path(Net net) const;            ///< likewise; empty: it has no name
};

/// Reads Yosys JSON netlists (write_json after mapping), which together hold `top` and every module
/// below it, each once; modules marked `blackbox` are skipped. `assign`s are aliases: they join
/// nets. A net without a driver is 0 for ever, like "x": Yosys leaves only such nets without one
/// whose value the Verilog leaves open. An input pin of a gate without a net is refused. Throws
/// UserError: unreadable, not such a netlist, a cell that is neither in the library nor a module, a
/// module twice or inside itself, a state table, a cell without functions, unknown pins and ports,
/// a net with two drivers.
Netlist read_netlist(const std::vector<std::string>& paths, const std::string& top,
                     const Library& library);

}  // namespace td::gate
