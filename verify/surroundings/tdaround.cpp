// SPDX-License-Identifier: Apache-2.0
// tdaround: runs layers on the netlist of an accelerator, from memory to memory, compares every
// byte with the functional model's, and says what each block drew and what happened meanwhile.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/configuration/preset.hpp"
#include "base/support/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/program.hpp"
#include "sim/accelerator/energy/level_bytes.hpp"
#include "sim/gate/power/power.hpp"
#include "sim/gate/replay/vector_recorder.hpp"
#include "verify/accelerator/layers/layer_run.hpp"
#include "verify/surroundings/gate_accelerator.hpp"

namespace td::verify {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kIdleClocks = 1000;

struct Options {
  std::string config;
  std::string liberty;
  std::string netlist;
  std::string slews;
  double slew_ns = 0.1;
  gate::PowerOptions power;
  std::vector<std::pair<std::string, std::string>> records;  ///< block and file
  std::string json;
};

/// A layer in its three operations, each with dense tiles and with dropped pairs.
struct Shape {
  const char* name;
  sim::LayerInfo layer;
};

std::vector<Shape> shapes() {
  sim::Conv padded;
  padded.padding[0] = padded.padding[1] = 1;
  sim::Conv strided = padded;
  strided.stride[0] = strided.stride[1] = 2;
  sim::Conv grouped = padded;
  grouped.groups = 4;
  return {{"conv3x3", unit::conv_layer({2, 8, 8, 8}, {16, 8, 3, 3}, padded)},
          {"conv1x1", unit::conv_layer({2, 32, 6, 6}, {32, 32, 1, 1}, {})},
          {"strided", unit::conv_layer({1, 16, 12, 12}, {16, 16, 3, 3}, strided)},
          {"grouped", unit::conv_layer({2, 16, 8, 8}, {16, 4, 3, 3}, grouped)},
          {"linear", unit::linear_layer(16, 96, 32)},
          {"short", unit::linear_layer(64, 8, 64)}};
}

/// Since the accelerator was switched on.
struct Seen {
  std::vector<std::uint64_t> toggles;
  std::vector<std::uint64_t> ones;
  std::uint64_t clocks = 0;
};

class Run {
 public:
  explicit Run(const Options& options)
      : options_(options),
        config_(find_config(options.config)),
        library_(gate::read_liberty(options.liberty)),
        netlist_(gate::read_netlist({options.netlist}, config_.name + "_accelerator", library_)),
        memories_(cut_memories(netlist_, config_.name)),
        slews_(gate::Slews::read(options.slews, options.slew_ns)),
        model_(netlist_, library_, memories_,
               [this](const gate::Simulator& simulator) { record(simulator); }) {
    options_.power.clock = netlist_.port("clk_i").bits.front();
    for (const auto& [block, file] : options.records) {
      recorders_.emplace_back(netlist_, config_.name, block);
    }
  }

  int run() {
    Json runs = Json::array();
    for (const Shape& shape : shapes()) {
      for (const sim::Op op : {sim::Op::fwd, sim::Op::dgrad, sim::Op::wgrad}) {
        for (const bool dense : {true, false}) runs.push_back(layer(shape, op, dense));
      }
    }
    Json root = {{"format", "tensordash-around-1"}, {"clock_ns", options_.power.clock_ns}};
    root["idle"] = idle();
    root["runs"] = std::move(runs);
    std::vector<OutputFile> files = {{options_.json, root.dump(1) + '\n'}};
    for (std::size_t i = 0; i < recorders_.size(); ++i) {
      files.push_back({options_.records[i].second, recorders_[i].text()});
    }
    write_files(files);
    return kExitPass;
  }

 private:
  void record(const gate::Simulator& simulator) {
    for (gate_replay::VectorRecorder& recorder : recorders_) recorder.record(simulator);
  }

  Json layer(const Shape& shape, sim::Op op, bool dense) {
    unit::OperationCase what;
    what.config = config_;
    what.layer = shape.layer;
    what.op = op;
    what.options.dense = dense;
    std::mt19937 random(static_cast<std::uint32_t>(++seed_));
    for (const sim::Operand operand : {sim::Operand::A, sim::Operand::W, sim::Operand::GO}) {
      what.operands[static_cast<std::size_t>(operand)] =
          unit::random_bits(random, config_.format, what.layer, operand, 0.5);
    }
    AxiMemorySettings memory;
    memory.latency = 20;
    const Seen before = seen();
    LayerRun run(config_, unit::OperationRun(what), model_, memory);
    const sim::ClockCounters clocks = run.run();
    const unit::OperationRun& plan = run.plan();
    const sim::LevelBytes bytes = sim::level_bytes(plan.geometry, plan.counts, plan.compute_counts);
    Json result = {{"layer", shape.name},
                   {"op", to_string(op)},
                   {"dense", dense},
                   {"clocks", seen().clocks - before.clocks},
                   {"busy", clocks.busy},
                   {"off_chip_read", bytes.off_chip.read},
                   {"off_chip_written", bytes.off_chip.written},
                   {"operands_read", bytes.operands.read},
                   {"operands_written", bytes.operands.written},
                   {"scratchpads_read", bytes.scratchpads.read},
                   {"scratchpads_written", bytes.scratchpads.written},
                   {"results_read", bytes.results.read},
                   {"results_written", bytes.results.written},
                   {"descriptor_bytes", plan.counts.bytes_fetched},
                   {"transposed", bytes.transposed * plan.geometry.lanes}};
    result["blocks_pJ"] = blocks_pJ(before);
    return result;
  }

  Seen seen() {
    gate::Simulator& simulator = model_.simulator();
    return {simulator.toggles(), simulator.ones(), simulator.clocks()};
  }

  /// Energy of every block since then, by its path.
  Json blocks_pJ(const Seen& before) {
    const Seen now = seen();
    const double clocks = static_cast<double>(now.clocks - before.clocks);
    gate::Activity activity;
    for (std::size_t net = 0; net < now.toggles.size(); ++net) {
      activity.toggles_per_clock.push_back(
          static_cast<double>(now.toggles[net] - before.toggles[net]) / clocks);
      activity.share_of_ones.push_back(static_cast<double>(now.ones[net] - before.ones[net]) /
                                       clocks);
    }
    const auto power = gate::power(netlist_, library_, activity, slews_, options_.power);
    Json blocks;
    for (std::size_t i = 0; i < power.size(); ++i) {
      const double scale = options_.power.clock_ns * clocks / 1000;  // µW · ns = fJ
      const auto dynamic = [&](const gate::Power& one) {
        return (one.internal + one.switching) * scale;
      };
      blocks[netlist_.blocks[i].path] = {
          {"module", netlist_.blocks[i].module},
          {"sequential", dynamic(power[i].sequential)},
          {"combinational", dynamic(power[i].combinational)},
          {"rest", power[i].clock_tree.total() * scale +
                       (power[i].sequential.leakage + power[i].combinational.leakage) * scale}};
    }
    return blocks;
  }

  /// Of clocks without a job.
  Json idle() {
    const Seen before = seen();
    AcceleratorSignals signals;
    for (int clock = 0; clock < kIdleClocks; ++clock) {
      model_.settle(signals, false);
      model_.rise();
    }
    return {{"clocks", kIdleClocks}, {"blocks_pJ", blocks_pJ(before)}};
  }

  Options options_;
  Config config_;
  gate::Library library_;
  gate::Netlist netlist_;
  std::vector<MemoryPorts> memories_;
  gate::Slews slews_;
  std::vector<gate_replay::VectorRecorder> recorders_;
  GateAccelerator model_;
  std::uint64_t seed_ = 0;
};

int run(int argc, char** argv) {
  CLI::App app("Runs layers on an accelerator's netlist, and says what its blocks draw.",
               "tdaround");
  Options options;
  app.add_option("--config", options.config, "configuration: a TOML file or a preset")->required();
  app.add_option("--liberty", options.liberty, "the library that the netlist is mapped to")
      ->required();
  app.add_option("--netlist", options.netlist, "of the accelerator, as Yosys JSON")->required();
  app.add_option("--slew-ns", options.slew_ns,
                 "transition time of pins that --slews does not name (default 0.1)")
      ->check(CLI::Range(0.0, 1e3));
  app.add_option("--slews", options.slews, "transition times: MODULE INSTANCE PIN SLEW_NS")
      ->required();
  app.add_option("--clock-ns", options.power.clock_ns, "clock period, ns")->required();
  app.add_option("--wire-pF-per-fanout", options.power.wire_pF_per_fanout, "of a net")->required();
  app.add_option("--clock-buffer", options.power.clock_buffer, "of the clock tree")->required();
  app.add_option("--clock-buffer-fanout", options.power.clock_buffer_fanout, "of one such cell")
      ->required();
  app.add_option("--record", options.records, "BLOCK FILE: as tdgate's");
  app.add_option("--json", options.json, "the result")->required();
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  return Run(options).run();
}

}  // namespace
}  // namespace td::verify

int main(int argc, char** argv) {
  return td::run_program("tdaround", [&] { return td::verify::run(argc, argv); });
}
