// SPDX-License-Identifier: Apache-2.0
// tdplace: places a netlist, and writes it with its wires for timing analysis.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/support/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/program.hpp"
#include "sim/gate/placement/placed_design.hpp"
#include "sim/gate/placement/placer.hpp"
#include "sim/gate/power/clock_network.hpp"
#include "sim/gate/power/unbuffered.hpp"

namespace td::gate {
namespace {

struct Options {
  std::string liberty;
  std::vector<std::string> netlists;
  std::string top;
  std::string clock;
  std::string repeater;
  std::string clock_buffer;
  std::string lef;
  std::string out;
  PlacerOptions placer;
};

/// The net of an input port, or no_net. Throws UserError for a port that is no input of one bit.
Net clock_of(const Netlist& netlist, const std::string& name) {
  for (const Port& port : netlist.ports) {
    if (port.name != name) continue;
    if (port.direction == PinDirection::input && port.bits.size() == 1) return port.bits.front();
    throw UserError("command line", "--clock", name, "an input of one bit");
  }
  return no_net;
}

std::size_t buffer_of(const Library& library, const std::string& option, const std::string& name) {
  const Cell* cell = library.find(name);
  if (cell == nullptr || !is_buffer(*cell) || !(cell->area > 0)) {
    throw UserError(
        "command line", option, name,
        "a cell of " + library.path + " with an area, whose output repeats its one input");
  }
  return static_cast<std::size_t>(library.index(name));
}

/// Wire of nets by the module that drives them and the one around it; both are "" of input ports.
nlohmann::ordered_json wire_by_module(const Netlist& netlist, const Library& library,
                                      const std::vector<double>& um_of) {
  std::map<std::pair<std::string, std::string>, double> sums;
  std::vector<const Block*> driver(at(netlist.nets), nullptr);
  for (const Gate& gate : netlist.gates) {
    const std::vector<Pin>& pins = library.cells[at(gate.cell)].pins;
    for (std::size_t pin = 0; pin < pins.size(); ++pin) {
      const Net net = netlist.pin_nets[at(gate.first) + pin];
      if (pins[pin].direction == PinDirection::output && net != no_net)
        driver[at(net)] = &netlist.blocks[at(gate.block)];
    }
  }
  for (std::size_t net = 0; net < um_of.size(); ++net) {
    const Block* block = driver[net];
    const bool has_parent = block != nullptr && block->parent >= 0;
    sums[{block == nullptr ? "" : block->module,
          has_parent ? netlist.blocks[at(block->parent)].module : ""}] += um_of[net];
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& [modules, um] : sums) {
    if (um > 0)
      json.push_back({{"module", modules.first}, {"parent", modules.second}, {"wire_um", um}});
  }
  return json;
}

std::string summary(const PlacedDesign& design, const Placed& placed, std::size_t taken_out,
                    const PlacerOptions& options) {
  const Layout& layout = design.layout;
  nlohmann::ordered_json json;
  json["format"] = "tensordash-placement-4";
  json["seed"] = options.seed;
  json["utilisation"] = options.utilisation;
  json["buffers_taken_out"] = taken_out;
  json["cells"] = layout.cells();
  json["nets"] = layout.nets();
  json["core_um"] = {placed.core.width, placed.core.height};
  json["cells_um2"] = layout.area();
  json["boxes_um"] = boxes(layout, placed.places);
  json["wire_um"] = placed.wire_um;
  json["sinks"] = placed.sinks;
  json["wires"] = wire_by_module(design.netlist, design.library, placed.wire_um_of);
  json["repeaters"] = placed.wiring.repeaters;
  json["repeaters_um2"] = placed.repeaters_um2;
  json["clock_buffers"] = placed.clock.buffers;
  json["clock_buffers_um2"] = placed.clock.buffers_um2;
  json["clock_levels"] = placed.clock.levels;
  json["clock_wire_um"] = placed.clock.wire_um;
  json["clock_pF"] = placed.clock.pF;
  return json.dump(1) + "\n";
}

void place(Options& options) {
  const std::vector<std::string> files = {options.out + ".json", options.out + ".v",
                                          options.out + ".spef", options.out + ".def",
                                          options.out + ".loads"};
  for (const std::string& file : files) check_writable(file);
  const Library library = read_liberty(options.liberty);
  WireRules& rules = options.placer.rules;
  rules.repeater = buffer_of(library, "--repeater", options.repeater);
  rules.clock_buffer = buffer_of(library, "--clock-buffer", options.clock_buffer);
  if (!options.lef.empty()) {
    add_lef(library, options.lef, options.placer.shapes);
  }
  Netlist netlist = read_netlist(options.netlists, options.top, library);
  const Net clock = clock_of(netlist, options.clock);
  const std::size_t taken_out = take_out_buffers(library, clock, netlist);
  const std::vector<Net> clock_nets = find_clock_network(netlist, library, clock).nets;
  std::vector<NetUse> uses(at(netlist.nets), NetUse::wired);
  for (const Net net : clock_nets) uses[at(net)] = net == clock ? NetUse::left_out : NetUse::drawn;
  Layout layout(netlist, library, options.placer.shapes, uses);
  const Placed placed = place(clock_nets, netlist, library, options.placer, layout);
  const PlacedDesign design{netlist, library, layout, rules, placed.wiring, placed.places};
  const PlacedNames names(design);
  // One after the other: a tile's texts have some hundred MB.
  write_files({{files[1], flat_verilog(design, names)}});
  write_files({{files[2], spef(design, names)}});
  write_files({{files[3], def(design, names, placed.core)}});
  write_files({{files[4], loads(design)}});
  write_files({{files[0], summary(design, placed, taken_out, options.placer)}});
}

int run(int argc, char** argv) {
  Options options;
  PlacerOptions& placer = options.placer;
  CLI::App app("Places a netlist in rows, and says what its wires are: not routed");
  app.add_option("--liberty", options.liberty, "the library that the netlist is mapped to")
      ->required();
  app.add_option("--netlist", options.netlists, "Yosys JSON files that hold the module")
      ->required();
  app.add_option("--top", options.top, "the module")->required();
  app.add_option("--clock", options.clock,
                 "its clock input, which gets a tree of buffers; one that it lacks is no mistake");
  app.add_option("--lef", options.lef,
                 "sizes and pins of cells; without it areas say sizes, and pins are in the middle");
  app.add_option("--row-um", placer.shapes.row_height, "height of a row of cells, um")
      ->required()
      ->check(CLI::Range(0.1, 100.0));
  app.add_option("--site-um", placer.shapes.site_width, "cells begin at multiples of it, um")
      ->required()
      ->check(CLI::Range(0.01, 100.0));
  app.add_option("--port-um", placer.port_pitch,
                 "ports around the core are so far apart, at least, if there is room, um")
      ->required()
      ->check(CLI::Range(0.01, 100.0));
  app.add_option("--wire-pF-per-um", placer.rules.pF_per_um, "capacitance of wire, pF/um")
      ->required()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--wire-ohm-per-um", placer.rules.ohm_per_um, "resistance of wire, ohm/um")
      ->required()
      ->check(CLI::Range(0.0, 1000.0));
  app.add_option("--repeater", options.repeater, "buffer that long nets are cut by")->required();
  app.add_option("--repeater-pF", placer.rules.limit_pF,
                 "pins and wire that a repeater drives at most, pF; weaker cells drive less")
      ->required()
      ->check(CLI::Range(0.001, 100.0));
  app.add_option("--clock-buffer", options.clock_buffer, "buffer of the clock's tree")->required();
  app.add_option("--clock-buffer-pF", placer.rules.clock_limit_pF,
                 "pins and wire that it drives at most, pF; weaker clock gates drive less")
      ->required()
      ->check(CLI::Range(0.001, 100.0));
  app.add_option("--input-delay", placer.ports.input,
                 "share of the clock that is over when an input arrives (default 0)")
      ->check(CLI::Range(0.0, 0.9));
  app.add_option("--output-delay", placer.ports.output,
                 "share of the clock that is left to whoever reads an output (default 0)")
      ->check(CLI::Range(0.0, 0.9));
  app.add_option("--utilisation", placer.utilisation,
                 "share of the core that cells take, without buffers added (default 0.85)")
      ->check(CLI::Range(0.1, 0.98));
  app.add_option("--seed", placer.seed, "another placement for each (default 1)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--out", options.out,
                 "writes FILE.json, FILE.v, FILE.def, FILE.spef and FILE.loads")
      ->required();
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  place(options);
  return kExitPass;
}

}  // namespace
}  // namespace td::gate

int main(int argc, char** argv) {
  return td::run_program("tdplace", [&] { return td::gate::run(argc, argv); });
}
