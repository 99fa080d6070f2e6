// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a netlist of Yosys, and what must hold for one that is accepted.
#include <string>

#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/simulation/simulator.hpp"
#include "verify/fuzz/target.hpp"
#include "verify/fuzz/targets/memory_file.hpp"

namespace td::verify {

namespace {

using gate::Net;
using gate::Netlist;

constexpr const char* kCells = R"(library (cells) {
  time_unit : "1ns"; voltage_unit : "1V"; leakage_power_unit : "1uW";
  capacitive_load_unit (1, pf); nom_voltage : 2;
  default_input_pin_cap : 0; default_cell_leakage_power : 0;
  cell (INV) {
    area : 1; pin (A) { direction : input; } pin (Y) { direction : output; function : "!A"; }
  }
  cell (AND) {
    area : 1; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "A B"; }
  }
  cell (TIE) { area : 1; pin (Y) { direction : output; function : "1"; } }
  cell (DFF) {
    area : 1; ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; }
    pin (CK) { direction : input; internal_power () { power (scalar) { values ("1"); } } }
    pin (D) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; }
  }
  cell (LATCH) {
    area : 1; latch (IQ, IQN) { enable : "E"; data_in : "D"; }
    pin (E) { direction : input; } pin (D) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; }
  }
})";

void check_nets(const Netlist& netlist, const gate::Library& library) {
  const auto exists = [&netlist](Net net) { return net >= gate::no_net && net < netlist.nets; };
  std::size_t pins = 0;
  for (const gate::Gate& gate : netlist.gates) {
    must(gate.first == static_cast<std::int32_t>(pins), "gates' pins follow each other");
    pins += library.cells.at(static_cast<std::size_t>(gate.cell)).pins.size();
    must(!netlist.gate_path(gate).empty(), "gates have names");
  }
  must(pins == netlist.pin_nets.size(), "pins are the gates'");
  for (const Net net : netlist.pin_nets) must(exists(net), "pins are on nets");
  for (std::size_t i = 0; i < netlist.blocks.size(); ++i) {
    const gate::Block& block = netlist.blocks[i];
    must(block.parent < static_cast<int>(i), "parents come before children");
    must((block.parent < 0) == (i == 0), "the top alone has no parent");
    for (const gate::Port& port : block.ports) {
      for (const Net net : port.bits) must(exists(net), "ports are on nets");
    }
  }
  for (const gate::Port& port : netlist.ports) {
    must(&netlist.port(port.name) == &port, "ports differ in name");
  }
}

/// A few clocks, with the clock on the first input.
void simulate(const Netlist& netlist, const gate::Library& library) {
  Net clock = gate::no_net;
  for (const gate::Port& port : netlist.ports) {
    const bool usable = port.direction == gate::PinDirection::input && !port.bits.empty();
    if (clock == gate::no_net && usable) clock = port.bits.front();
  }
  if (clock <= gate::net_one || netlist.nets > 10000) return;
  gate::Simulator simulator(netlist, library, clock);
  for (gate::Word value = 1; value < 8; ++value) {
    for (const gate::Port& port : netlist.ports) {
      if (port.direction != gate::PinDirection::input) continue;
      for (const Net net : port.bits) {
        if (net != clock && net > gate::net_one) simulator.set(net, value);
      }
    }
    simulator.settle(~gate::Word{0});
    simulator.clock();
  }
  must(simulator.clocks() == 7 * 64, "all clocks are counted");
}

void check(const std::string& path) {
  static const gate::Library library = gate::parse_library(kCells, "cells.lib");
  const Netlist netlist = gate::read_netlist({path}, "top", library);
  check_nets(netlist, library);
  simulate(netlist, library);
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const td::verify::MemoryFile file(data, size);
  return td::verify::judge([&] { td::verify::check(file.path()); });
}
