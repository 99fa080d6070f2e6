// SPDX-License-Identifier: Apache-2.0
// tdgate: replays passes of a trace through the gate-level netlist of a tile, checks every bit
// against the reference model, and works out power from the toggles.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/configuration/preset.hpp"
#include "base/support/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/program.hpp"
#include "base/support/progress.hpp"
#include "base/support/version.hpp"
#include "sim/gate/power/unbuffered.hpp"
#include "sim/gate/replay/gate_result.hpp"
#include "sim/gate/replay/vector_recorder.hpp"
#include "sim/replay/trace_source.hpp"

namespace td::gate_replay {
namespace {

struct Options {
  std::string config;
  std::string liberty;
  std::vector<std::string> netlists;
  std::string trace;
  replay::TraceSelection selection;
  std::int64_t passes = 8192;
  bool dense_mode = false;
  std::string slews;
  std::string loads;
  double slew_ns = 0.1;
  gate::PowerOptions power;
  std::string json;
  std::vector<std::pair<std::string, std::string>> records;  ///< block and file
};

/// Nothing where a name must stand is a mistake, as of a script's empty variable.
std::string refuse_empty(const std::string& text) { return text.empty() ? "no name is given" : ""; }

void declare_power_options(CLI::App& app, Options& options) {
  auto* clock = app.add_option("--clock-ns", options.power.clock_ns,
                               "clock period, ns; without it there is no power, only activity")
                    ->check(CLI::Range(1e-3, 1e6));
  app.add_option("--slews", options.slews,
                 "transition times from timing analysis: lines MODULE INSTANCE PIN SLEW_NS")
      ->check(refuse_empty)
      ->needs(clock);
  app.add_option("--slew-ns", options.slew_ns,
                 "transition time of pins that --slews does not name (default 0.1)")
      ->check(CLI::Range(0.0, 1000.0))
      ->needs(clock);
  app.add_option("--wire-pF-per-fanout", options.power.wire_pF_per_fanout,
                 "capacitance of a net's wire for each pin that it drives, pF (default 0)")
      ->check(CLI::Range(0.0, 100.0))
      ->needs(clock);
  app.add_option("--loads", options.loads,
                 "what nets load, as tdplace writes it; others as --wire-pF-per-fanout says")
      ->check(refuse_empty)
      ->needs(clock);
  auto* buffer = app.add_option("--clock-buffer", options.power.clock_buffer,
                                "cell of the estimated clock tree (default: no tree)")
                     ->check(refuse_empty)
                     ->needs(clock);
  auto* fanout = app.add_option("--clock-buffer-fanout", options.power.clock_buffer_fanout,
                                "flip-flops or buffers that one such cell drives")
                     ->check(CLI::Range(2, 10000))
                     ->needs(buffer);
  buffer->needs(fanout);
}

void declare_options(CLI::App& app, Options& options) {
  app.set_version_flag("--version", fmt::format("tdgate {}", kGeneratorVersion));
  app.add_option("--config", options.config, "configuration: a TOML file or the name of a preset")
      ->required()
      ->check(refuse_empty);
  app.add_option("--liberty", options.liberty, "the library that the netlist is mapped to")
      ->required()
      ->check(refuse_empty);
  app.add_option("--netlist", options.netlists,
                 "Yosys JSON files that together hold the tile, or a folder of them")
      ->required()
      ->check(refuse_empty);
  app.add_option("--trace", options.trace, "operands (safetensors)")->required();
  app.add_option("--snapshot", options.selection.snapshot, "this snapshot only");
  app.add_option("--layer", options.selection.layer, "this layer only");
  app.add_option("--op", options.selection.op, "this operation only")
      ->check(CLI::IsMember({"fwd", "dgrad", "wgrad"}));
  app.add_option("--passes", options.passes,
                 "passes drawn for each operation, from its layers in proportion to how many each "
                 "has (default 8192)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  app.add_option("--seed", options.selection.seed, "of the draw (default 1)")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--dense-mode", options.dense_mode, "tell the tile to drop nothing");
  declare_power_options(app, options);
  app.add_option("--json", options.json, "write everything into this file")->check(refuse_empty);
  app.add_option(
         "--record", options.records,
         "BLOCK FILE: write what stands on the inputs of such blocks, of one after the other, "
         "in copy 0 and each of its counted clocks; several are possible")
      ->check(refuse_empty);
}

/// The files named, and those in the folders named.
std::vector<std::string> netlist_files(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    std::error_code unusable;
    if (!std::filesystem::is_directory(name, unusable)) {
      files.push_back(name);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : std::filesystem::directory_iterator(name, unusable)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
    if (files.size() == before) {
      throw UserError(name, "--netlist", "a folder without .json files", "netlists as Yosys JSON");
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

/// Everything that is read, checked before the long run.
class Run {
 public:
  explicit Run(const Options& options)
      : options_(options),
        config_(find_config(options.config)),
        library_(read_library(options)),
        files_(netlist_files(options.netlists)),
        netlist_(gate::read_netlist(files_, config_.name + "_tile", library_)),
        slews_(read_slews(options)),
        trace_(options.trace) {
    if (!options.loads.empty()) {
      options_.power.loads = gate::read_net_loads(options.loads, netlist_, library_);
      placed_ = netlist_;
      take_out_buffers(library_, clock(), *placed_);
    }
    for (const auto& [block, file] : options.records) {
      recorders_.emplace_back(netlist_, config_.name, block);
      check_writable(file);
    }
    if (!options.json.empty()) check_writable(options.json);
  }

  int run() {
    GateResult result = facts();
    for (const sim::Op op : replay::selected_ops(trace_, options_.selection)) {
      result.ops.push_back(replay(op));
    }
    fmt::print("{}", gate_table(result));
    if (std::fflush(stdout) != 0) {
      throw UserError("standard output", "write", std::strerror(errno), "a disk with room");
    }
    for (const OpActivity& op : result.ops) {
      if (!passed(op)) return kExitCheckFailed;
    }
    write(result);
    return kExitPass;
  }

 private:
  static gate::Library read_library(const Options& options) {
    gate::Library library = gate::read_liberty(options.liberty);
    const std::string& buffer = options.power.clock_buffer;
    if (!buffer.empty() && library.find(buffer) == nullptr) {
      throw UserError(options.liberty, "--clock-buffer", buffer, "a cell of the library");
    }
    return library;
  }

  static gate::Slews read_slews(const Options& options) {
    return options.slews.empty() ? gate::Slews(options.slew_ns)
                                 : gate::Slews::read(options.slews, options.slew_ns);
  }

  GateResult facts() const {
    GateResult result;
    result.config = config_;
    result.dense_mode = options_.dense_mode;
    result.seed = options_.selection.seed;
    result.netlist_files = files_;
    result.gates = static_cast<std::int64_t>(netlist_.gates.size());
    result.nets = netlist_.nets;
    result.library_name = library_.name;
    result.library_path = library_.path;
    result.library_corner = library_.corner;
    result.voltage_V = library_.voltage_V;
    result.trace_path = trace_.path();
    result.trace_identity = trace_.identity();
    result.trace_conversion = trace_.conversion_text(config_.format);
    result.power = options_.power;
    result.slews = options_.slews;
    result.loads = options_.loads;
    result.slew_ns = options_.slew_ns;
    return result;
  }

  OpActivity replay(sim::Op op) {
    replay::TraceSelection selection = options_.selection;
    selection.op = to_string(op);
    selection.passes_together = options_.passes;
    replay::TraceSource passes(trace_, config_, selection);
    WorkSource source(config_, passes, options_.dense_mode);
    std::int64_t total = 0;
    for (const replay::Tally& tally : source.tallies()) total += tally.passes;
    Progress progress(fmt::format("passes of {}", to_string(op)), total,
                      ::isatty(STDERR_FILENO) != 0);
    const auto observe = [&](const gate::Simulator& simulator, gate::Word counted,
                             std::int64_t passes_done) {
      progress.show(passes_done);
      if ((counted & 1) == 0) return;
      for (VectorRecorder& recorder : recorders_) recorder.record(simulator);
    };

    OpActivity result;
    result.op = op;
    result.replay =
        replay_passes(netlist_, library_, config_, options_.netlists.front(), source, observe);
    std::vector<gate::PowerGroups> power;
    if (options_.power.clock_ns > 0) {
      gate::PowerOptions power_options = options_.power;
      power_options.clock = clock();
      power = gate::power(placed_ ? *placed_ : netlist_, library_, result.replay.activity, slews_,
                          power_options);
    }
    result.blocks =
        block_activities(netlist_, library_, config_.name, result.replay.activity, power);
    return result;
  }

  gate::Net clock() const { return netlist_.port("clk_i").bits.front(); }

  static bool passed(const OpActivity& op) {
    if (op.replay.mismatches > 0) {
      fmt::print(stderr, "first mismatch: {}\n", op.replay.first_mismatch);
      return false;
    }
    const replay::Tally total = op.total();
    if (total.outputs > 0 && total.passes_done == total.passes) return true;
    fmt::print(stderr, "tdgate: {} of {} passes and {} outputs were compared\n", total.passes_done,
               total.passes, total.outputs);
    return false;
  }

  void write(const GateResult& result) const {
    std::vector<OutputFile> files;
    if (!options_.json.empty()) files.push_back({options_.json, gate_json(result)});
    for (std::size_t i = 0; i < recorders_.size(); ++i) {
      files.push_back({options_.records[i].second, recorders_[i].text()});
    }
    write_files(files);
  }

  Options options_;
  Config config_;
  gate::Library library_;
  std::vector<std::string> files_;
  gate::Netlist netlist_;
  std::optional<gate::Netlist> placed_;  ///< without the buffers that tdplace took out
  gate::Slews slews_;
  sim::Trace trace_;
  std::vector<VectorRecorder> recorders_;
};

int run(int argc, char** argv) {
  CLI::App app("Replays operands through a gate-level tile, beside the reference model; power.",
               "tdgate");
  Options options;
  declare_options(app, options);
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  return Run(options).run();
}

}  // namespace
}  // namespace td::gate_replay

int main(int argc, char** argv) {
  return td::run_program("tdgate", [&] { return td::gate_replay::run(argc, argv); });
}
