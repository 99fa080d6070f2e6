// SPDX-License-Identifier: Apache-2.0
// tdpower: power of one module from what its pins did in another simulator.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/support/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/program.hpp"
#include "base/support/text_file.hpp"
#include "sim/gate/power/power.hpp"
#include "sim/gate/replay/block_activity.hpp"

namespace td::gate_replay {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

struct Options {
  std::string liberty;
  std::vector<std::string> netlists;
  std::string top;
  std::string clock;
  std::string slews;
  std::vector<std::string> activities;
  gate::PowerOptions power;
};

/// Nets by "PATH PIN" of the gates that they are at.
std::unordered_map<std::string, gate::Net> nets_of_pins(const gate::Netlist& netlist,
                                                        const gate::Library& library) {
  std::unordered_map<std::string, gate::Net> nets;
  for (const gate::Gate& gate : netlist.gates) {
    const gate::Cell& cell = library.cells[static_cast<std::size_t>(gate.cell)];
    const std::string path = netlist.gate_path(gate);
    for (std::size_t pin = 0; pin < cell.pins.size(); ++pin) {
      const gate::Net net = netlist.pin_nets[static_cast<std::size_t>(gate.first) + pin];
      if (net != gate::no_net) nets.emplace(path + ' ' + cell.pins[pin].name, net);
    }
  }
  return nets;
}

/// Lines "PATH PIN TOGGLES_PER_CLOCK SHARE_OF_ONES". A net that no line names rests at 0.
gate::Activity read_activity(const std::string& path, const gate::Netlist& netlist,
                             const gate::Library& library) {
  const auto nets = nets_of_pins(netlist, library);
  gate::Activity activity;
  activity.toggles_per_clock.resize(static_cast<std::size_t>(netlist.nets));
  activity.share_of_ones.resize(static_cast<std::size_t>(netlist.nets));
  activity.share_of_ones[gate::net_one] = 1;
  std::istringstream text(read_text(path, "a readable file of activity", kMaxBytes));
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    std::istringstream words(line);
    std::string gate;
    std::string pin;
    double toggles = -1;
    double ones = -1;
    const bool read = static_cast<bool>(words >> gate >> pin >> toggles >> ones);
    const auto net = nets.find(gate + ' ' + pin);
    if (!read || net == nets.end() || toggles < 0 || ones < 0 || ones > 1) {
      throw UserError(path, fmt::format("line {}", number), line,
                      "PATH PIN TOGGLES_PER_CLOCK SHARE_OF_ONES of a gate of the netlist");
    }
    const auto index = static_cast<std::size_t>(net->second);
    activity.toggles_per_clock[index] = toggles;
    activity.share_of_ones[index] = ones;
  }
  return activity;
}

void print(const char* group, const gate::Power& power) {
  fmt::print("{} {:.9g} {:.9g} {:.9g}\n", group, power.internal, power.switching, power.leakage);
}

/// For each activity the lines "GROUP INTERNAL SWITCHING LEAKAGE" of sequential, combinational and
/// clock_tree, in µW.
void weigh(const Options& options) {
  const gate::Library library = gate::read_liberty(options.liberty);
  const gate::Netlist netlist = gate::read_netlist(options.netlists, options.top, library);
  const gate::Slews slews =
      options.slews.empty() ? gate::Slews(0.1) : gate::Slews::read(options.slews, 0.1);
  gate::PowerOptions power = options.power;
  for (const gate::Port& port : netlist.ports) {
    if (port.name == options.clock) power.clock = port.bits.front();
  }
  for (const std::string& path : options.activities) {
    const gate::Activity activity = read_activity(path, netlist, library);
    gate::PowerGroups sum;
    for (const gate::PowerGroups& block : gate::power(netlist, library, activity, slews, power)) {
      add(block, sum);
    }
    print("sequential", sum.sequential);
    print("combinational", sum.combinational);
    print("clock_tree", sum.clock_tree);
  }
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Power of a module from the activity of its pins");
  app.add_option("--liberty", options.liberty, "the library that the netlist is mapped to")
      ->required();
  app.add_option("--netlist", options.netlists, "Yosys JSON files that hold the module")
      ->required();
  app.add_option("--top", options.top, "the module")->required();
  app.add_option("--clock", options.clock, "its clock input; one that it lacks is no mistake");
  app.add_option("--clock-ns", options.power.clock_ns, "clock period, ns")->required();
  app.add_option("--slews", options.slews, "transition times: MODULE INSTANCE PIN SLEW_NS");
  app.add_option("--wire-pF-per-fanout", options.power.wire_pF_per_fanout,
                 "capacitance of a net's wire for each pin that it drives, pF (default 0)")
      ->check(CLI::Range(0.0, 100.0));
  app.add_option("--activity", options.activities,
                 "files of lines PATH PIN TOGGLES_PER_CLOCK SHARE_OF_ONES")
      ->required();
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  weigh(options);
  return kExitPass;
}

}  // namespace
}  // namespace td::gate_replay

int main(int argc, char** argv) {
  return td::run_program("tdpower", [&] { return td::gate_replay::run(argc, argv); });
}
