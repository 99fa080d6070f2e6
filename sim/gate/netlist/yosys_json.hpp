// SPDX-License-Identifier: Apache-2.0
// The modules of a Yosys JSON file (write_json) as they are written there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"

namespace td::gate {

/// Number of a net in its module; 0 and 1 are the constants (Yosys numbers nets from 2).
using YosysBit = std::int32_t;

struct YosysPort {
  std::string name;
  PinDirection direction = PinDirection::input;
  std::vector<YosysBit> bits;  ///< lowest first
};

struct YosysConnection {
  std::string port;
  std::vector<YosysBit> bits;
};

struct YosysCell {
  std::string name;
  std::string type;
  std::vector<YosysConnection> connections;
};

/// What a module calls its nets.
struct YosysName {
  std::string name;
  std::vector<YosysBit> bits;  ///< lowest first
};

struct YosysModule {
  std::string name;
  std::string file;
  bool blackbox = false;  ///< has the attribute: its contents are elsewhere
  std::vector<YosysPort> ports;
  std::vector<YosysCell> cells;
  std::vector<YosysName> names;  ///< without those that Yosys made up, with a "$" in them
};

/// A constant "x" is read as 0: Yosys writes it where the Verilog leaves the value open, so that
/// every choice is right, and one has to be made. Throws UserError: unreadable, not JSON, not a
/// netlist, a name twice, a port that is neither input nor output, "z".
std::vector<YosysModule> read_yosys_json(const std::string& path);

}  // namespace td::gate
