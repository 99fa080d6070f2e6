// SPDX-License-Identifier: Apache-2.0
// tdaccel: drives a verilated accelerator. Each configuration has one.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <stdexcept>

#include "base/configuration/preset.hpp"
#include "base/support/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/program.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/driven/driven_energy.hpp"
#include "sim/driven/step_files.hpp"
#include "sim/driven/step_rate.hpp"
#include "sim/driven/step_table.hpp"
#include "verify/accelerator/layers/layer_image.hpp"
#include "verify/accelerator/layers/random_layers.hpp"
#include "verify/accelerator/layers/synthetic_layer.hpp"
#include "verify/accelerator/power_on.hpp"
#include "verify/accelerator/step_run.hpp"
#include "verify/accelerator/verilated_accelerator.hpp"
#include "verify/tile/code_coverage.hpp"

#include TD_VERILATED_HEADER

namespace td::verify {
namespace {

using Model = VerilatedAccelerator<TD_VERILATED>;

/// What plans are chosen for.
struct ObjectiveOption {
  void offer(CLI::App& app) {
    app.add_option("--objective", name, "what plans are chosen for: time, energy or product")
        ->check(CLI::IsMember({"time", "energy", "product"}))
        ->capture_default_str();
  }

  /// Time needs no memories of a table.
  sim::Aim aim(const Config& config) const {
    const sim::Objective objective = sim::objective_of(name);
    if (objective == sim::Objective::time) return {};
    const sim::Technology technology = sim::accelerator_technology(config);
    return sim::aim_of(config, technology, sim::stated_compute_energy(config, technology),
                       objective);
  }

  std::string name = "time";
};

/// Options of a memory, and of what is in it.
void offer(CLI::App& app, sim::MemoryTiming& memory, bool& packed) {
  app.add_flag("--packed", packed, "operands lie packed, without zeros, where that pays");
  app.add_option("--latency", memory.latency, "clocks of the memory, from address to data")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option_function<double>(
         "--bandwidth", [&](double bytes) { memory.bandwidth = std::llround(1000 * bytes); },
         "bytes that it moves in a clock, read and written together (default: as many as the bus)")
      ->check(CLI::Range(sim::kLeastBandwidth, sim::kMostBandwidth));
}

/// `tdaccel layers`.
struct LayersCommand {
  explicit LayersCommand(CLI::App& program)
      : app(program.add_subcommand("layers", "random operations of random layers")) {
    const CLI::Range share(0.0, 1.0);
    app->add_option("--seed", what.first, "number of the first one")->capture_default_str();
    app->add_option("--count", what.count, "how many")->capture_default_str();
    app->add_option("--stall", what.stall, "share of clocks in which a channel of a bus waits")
        ->check(CLI::Range(0.0, 0.9))
        ->capture_default_str();
    app->add_option("--errors", what.errors, "share of layers run with errors of the bus, too")
        ->check(share)
        ->capture_default_str();
    app->add_option("--damage", what.damage, "share of layers run with a wrong descriptor, too")
        ->check(share)
        ->capture_default_str();
    app->add_option("--resets", what.resets, "share of layers stopped by a soft reset, too")
        ->check(share)
        ->capture_default_str();
  }

  int run(const Config& config) const {
    Model model;
    const RandomLayersResult result = run_random_layers(config, model, what);
    fmt::print(
        "{}: {} random layers, {} refused, {} of packed operands, {} bytes equal, {} clocks, {} "
        "jobs ended by errors of the bus, {} by wrong descriptors, {} by wrong blocks, {} by "
        "resets\n",
        config.name, result.run, result.refused, result.packed, result.bytes, result.clocks,
        result.errors, result.damaged, result.broken, result.resets);
    fmt::print("without stalls: {} clocks, each layer as many as the timeline counts\n",
               result.timed);
    const bool unpacks = config.accelerator.unpack_rows > 0;
    return result.run > 0 && (result.packed > 0) == unpacks ? kExitPass : kExitCheckFailed;
  }

  CLI::App* app;
  RandomLayers what;
};

/// `tdaccel layer`.
struct LayerCommand {
  explicit LayerCommand(CLI::App& program)
      : app(program.add_subcommand("layer", "a layer of a given shape, and where its clocks go")) {
    const auto count = [&](const char* name, std::int64_t& value, const char* text) {
      app->add_option(name, value, text)->check(CLI::Range(1, 4096))->capture_default_str();
    };
    count("--batch", what.batch, "images");
    count("--channels", what.channels, "of its input");
    count("--filters", what.filters, "channels of its output");
    count("--size", what.size, "height and width of an image; 1: a linear layer");
    count("--kernel", what.kernel, "height and width, odd; images are padded to keep their size");
    app->add_option("--op", op, "operation")
        ->check(CLI::IsMember({"fwd", "dgrad", "wgrad"}))
        ->capture_default_str();
    app->add_option("--zeros", what.zeros, "share of them in each operand")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    offer(*app, what.memory, what.packed);
    app->add_option("--seed", what.seed, "of the operands")->capture_default_str();
    objective.offer(*app);
    files.offer(*app);
  }

  int run(const Config& config) {
    if (what.kernel % 2 == 0) {
      throw UserError("command line", "--kernel", fmt::format("{}", what.kernel), "an odd number");
    }
    what.op = op == "fwd" ? sim::Op::fwd : op == "dgrad" ? sim::Op::dgrad : sim::Op::wgrad;
    files.check({});
    what.aim = objective.aim(config);
    Model model;
    if (!files.wanted()) {
      fmt::print("{}", synthetic_table(run_synthetic(config, model, what)));
      return kExitPass;
    }
    const sim::Technology technology = sim::accelerator_technology(config);
    const sim::StepRunResult result = run_synthetic(config, model, what);
    sim::StepRun how;
    how.memory = what.memory;
    how.packed = what.packed;
    files.write(config, synthetic_source(what), how, result,
                sim::driven_energy(config, technology, result),
                [&] { return synthetic_table(result); });
    return kExitPass;
  }

  CLI::App* app;
  std::string op = "fwd";
  SyntheticLayer what;
  ObjectiveOption objective;
  sim::StepFiles files;
};

/// `tdaccel image`.
struct ImageCommand {
  explicit ImageCommand(CLI::App& program)
      : app(program.add_subcommand("image", "a random layer as files for a Verilog testbench")) {
    app->add_option("--seed", seed, "its number")->capture_default_str();
    app->add_option("--rows", rows, "of memory")->capture_default_str();
    app->add_option("--out", folder, "folder to write before.hex and after.hex into")->required();
  }

  int run(const Config& config) const {
    fmt::print("{}\n", write_layer_image(config, seed, rows, folder));
    return kExitPass;
  }

  CLI::App* app;
  std::uint64_t seed = 0;
  std::uint64_t rows = 8192;
  std::string folder;
};

/// `tdaccel step`.
struct StepCommand {
  explicit StepCommand(CLI::App& program)
      : app(program.add_subcommand("step", "a training step of a traced network")) {
    app->add_option("--trace", trace_path, "its operands (safetensors)")->required();
    app->add_option("--snapshot", what.selection.snapshot, "this snapshot only");
    app->add_option("--layer", what.selection.layer, "these layers only: a name, or a pattern");
    app->add_option("--op", what.selection.op, "this operation only: fwd, dgrad or wgrad");
    app->add_flag("--wide", what.wide, "results as binary32; of fp8 they always are bfloat16");
    offer(*app, what.memory, what.packed);
    app->add_option("--stall", what.stall, "share of clocks in which a channel of a bus waits")
        ->check(CLI::Range(0.0, 0.9))
        ->capture_default_str();
    objective.offer(*app);
    CLI::Option* only = app->add_flag("--rate", rate, "how fast the simulation was, instead");
    files.offer(*app, only);
  }

  int run(const Config& config) {
    what.aim = objective.aim(config);
    const bool progress = ::isatty(STDERR_FILENO) != 0;
    const sim::Trace trace(trace_path);
    Model model;
    const auto equal = [&](const sim::StepRunResult& result) {
      return fmt::format("{}: every byte of memory equals the functional model's ({} bytes)\n",
                         config.name, result.bytes);
    };
    if (rate) {
      const sim::StepRunResult result = run_step(config, model, trace, what, progress);
      fmt::print("{}{}", sim::rate_table(config, result), equal(result));
      return kExitPass;
    }
    files.check({trace_path});
    const sim::Technology technology = sim::accelerator_technology(config);
    const sim::StepRunResult result = run_step(config, model, trace, what, progress);
    const sim::DrivenEnergy energy = sim::driven_energy(config, technology, result);
    const sim::StepSource source = {trace.path(), trace.identity(), trace.model(), trace.dataset(),
                                    trace.conversion_text(config.format)};
    files.write(config, source, what, result, energy, [&] {
      return fmt::format("{}\nbytes by level\n{}\n{}\n{}", sim::step_table(result),
                         sim::level_table(result), sim::energy_table(result, energy),
                         equal(result));
    });
    return kExitPass;
  }

  CLI::App* app;
  std::string trace_path;
  sim::StepRun what;
  ObjectiveOption objective;
  sim::StepFiles files;
  bool rate = false;
};

int run(int argc, char** argv) {
  CLI::App app("Drives the verilated accelerator " TD_CONFIG ".", "tdaccel");
  LayersCommand layers(app);
  LayerCommand layer(app);
  ImageCommand image(app);
  StepCommand step(app);
  app.require_subcommand(1);
  std::string code_coverage;
  app.add_option("--code-coverage-file", code_coverage)->group("");
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  begin_with_anything();
  const Config config = find_config(TD_CONFIG);
  const int status = layers.app->parsed()  ? layers.run(config)
                     : layer.app->parsed() ? layer.run(config)
                     : image.app->parsed() ? image.run(config)
                                           : step.run(config);
  write_code_coverage(code_coverage);
  return status;
}

}  // namespace
}  // namespace td::verify

int main(int argc, char** argv) {
  return td::run_program("tdaccel", [&] { return td::verify::run(argc, argv); });
}
