// SPDX-License-Identifier: Apache-2.0
// Simulates a netlist with biased random inputs and writes what copy 0 got and did, for a
// comparison with another simulator.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/program.hpp"
#include "sim/gate/simulation/simulator.hpp"

namespace {

using td::gate::Net;
using td::gate::Netlist;
using td::gate::PinDirection;
using td::gate::Port;
using td::gate::Simulator;
using td::gate::Word;

constexpr int reset_clocks = 4;  ///< at the start, not counted

struct Options {
  std::string liberty;
  std::vector<std::string> netlists;
  std::string top;
  std::string clock;
  std::string reset;    ///< active low; empty: none
  std::string vectors;  ///< output files; empty: none
  std::string toggles;
  int clocks = 500;
  std::uint64_t seed = 1;
  bool all_copies = false;
};

/// Draws a port's next bits: each copy keeps them, or gets new ones, few, many or all of them one.
class Stimulus {
 public:
  explicit Stimulus(std::uint64_t seed) : random_(seed) {}

  void draw(std::vector<Word>& bits) {
    const Word change = random_() | random_();
    const Word sparse = random_() & random_();
    const Word dense = random_() & random_();
    for (Word& bit : bits) {
      const Word few = random_() & random_() & random_();
      const Word many = ~(random_() & random_() & random_());
      Word value = random_();
      value = (value & ~sparse) | (few & sparse);
      value = (value & ~dense) | (many & dense);
      bit = (bit & ~change) | (value & change);
    }
  }

  /// Ones but for a rare zero.
  Word mostly() { return random_() | random_() | random_() | random_() | random_() | random_(); }

 private:
  std::mt19937_64 random_;
};

class Run {
 public:
  Run(const Options& options, const Netlist& netlist, const td::gate::Library& library)
      : options_(options),
        netlist_(netlist),
        library_(library),
        simulator_(netlist, library, clock_net(options, netlist)),
        stimulus_(options.seed) {
    for (const Port& port : netlist.ports) {
      if (port.direction == PinDirection::input && port.name != options.clock)
        inputs_.push_back({&port, std::vector<Word>(port.bits.size(), 0)});
    }
  }

  void simulate() {
    const std::clock_t start = std::clock();
    for (int clock = 0; clock < reset_clocks + options_.clocks; ++clock) {
      set_inputs(clock < reset_clocks);
      const Word counted = options_.all_copies ? ~Word{0} : Word{1};
      simulator_.settle(clock < reset_clocks ? 0 : counted);
      simulator_.clock();
    }
    const double spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const auto gates = static_cast<double>(netlist_.gates.size());
    fmt::print(
        "{}: {} gates, {} nets, {} clocks, {:.1f} million gate evaluations of 64 copies per "
        "second of processor time\n",
        netlist_.top, netlist_.gates.size(), netlist_.nets, options_.clocks,
        gates * (reset_clocks + options_.clocks) / spent / 1e6);
  }

  /// A line per clock: the inputs of copy 0, first port first, highest bit first.
  const std::string& vectors() const { return vectors_; }

  /// Lines "GATE PIN TOGGLES ONES".
  std::string toggles() const {
    std::string text;
    for (const td::gate::Gate& gate : netlist_.gates) {
      const td::gate::Cell& cell = library_.cells[static_cast<std::size_t>(gate.cell)];
      const std::string path = netlist_.gate_path(gate);
      for (std::size_t i = 0; i < cell.pins.size(); ++i) {
        const Net net = netlist_.pin_nets[static_cast<std::size_t>(gate.first) + i];
        if (net == td::gate::no_net) continue;
        const auto index = static_cast<std::size_t>(net);
        text += fmt::format("{} {} {} {}\n", path, cell.pins[i].name, simulator_.toggles()[index],
                            simulator_.ones()[index]);
      }
    }
    return text;
  }

 private:
  struct Input {
    const Port* port;
    std::vector<Word> bits;
  };

  static Net clock_net(const Options& options, const Netlist& netlist) {
    for (const Port& port : netlist.ports) {
      if (port.name == options.clock && port.bits.size() == 1) return port.bits[0];
    }
    throw td::UserError(netlist.top, "clock", options.clock, "a port of one bit");
  }

  void set_inputs(bool in_reset) {
    const bool keep = !options_.vectors.empty();
    for (Input& input : inputs_) {
      if (input.port->name == options_.reset) {
        input.bits.assign(input.bits.size(), in_reset ? 0 : stimulus_.mostly());
      } else {
        stimulus_.draw(input.bits);
      }
      for (std::size_t i = 0; i < input.bits.size(); ++i)
        simulator_.set(input.port->bits[i], input.bits[i]);
      for (std::size_t i = input.bits.size(); keep && i-- > 0;)
        vectors_ += (input.bits[i] & 1) != 0 ? '1' : '0';
    }
    if (keep) vectors_ += '\n';
  }

  const Options& options_;
  const Netlist& netlist_;
  const td::gate::Library& library_;
  Simulator simulator_;
  Stimulus stimulus_;
  std::vector<Input> inputs_;
  std::string vectors_;
};

void simulate(const Options& options) {
  const td::gate::Library library = td::gate::read_liberty(options.liberty);
  const auto start = std::chrono::steady_clock::now();
  const Netlist netlist = td::gate::read_netlist(options.netlists, options.top, library);
  const std::chrono::duration<double> read = std::chrono::steady_clock::now() - start;
  Run simulation(options, netlist, library);
  const std::chrono::duration<double> prepared = std::chrono::steady_clock::now() - start;
  fmt::print("netlist read in {:.2f} s, prepared after {:.2f} s\n", read.count(), prepared.count());
  simulation.simulate();
  std::vector<td::OutputFile> files;
  if (!options.vectors.empty()) files.push_back({options.vectors, simulation.vectors()});
  if (!options.toggles.empty()) files.push_back({options.toggles, simulation.toggles()});
  td::write_files(files);
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Toggles of a netlist with biased random inputs");
  app.add_option("--liberty", options.liberty, "Liberty file")->required();
  app.add_option("--netlist", options.netlists, "Yosys JSON files")->required();
  app.add_option("--top", options.top, "Top module")->required();
  app.add_option("--clock", options.clock, "Clock port")->required();
  app.add_option("--reset", options.reset, "Reset port, active low");
  app.add_option("--clocks", options.clocks, "Counted clocks")->check(CLI::Range(1, 1000000));
  app.add_option("--seed", options.seed, "Seed of the inputs");
  app.add_option("--vectors", options.vectors, "Writes the inputs of copy 0 here");
  app.add_option("--toggles", options.toggles, "Writes toggles and ones of every pin here");
  app.add_flag("--all-copies", options.all_copies, "Counts all 64 copies, not only copy 0");
  CLI11_PARSE(app, argc, argv);
  simulate(options);
  return td::kExitPass;
}

}  // namespace

int main(int argc, char** argv) {
  return td::run_program("tdtoggles", [&] { return run(argc, argv); });
}
