// SPDX-License-Identifier: Apache-2.0
// tdsim step: what a training step takes on an accelerator, its memory included.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#include "gen/base/error.hpp"
#include "gen/base/parallel.hpp"
#include "gen/base/progress.hpp"
#include "gen/base/text_table.hpp"
#include "gen/configuration/geometry.hpp"
#include "gen/configuration/preset.hpp"
#include "sim/accelerator/driver/step_layout.hpp"
#include "sim/accelerator/steps/operation_counts.hpp"
#include "sim/tdsim/commands.hpp"
#include "sim/tdsim/drawn_network.hpp"
#include "sim/trace/trace.hpp"

namespace td::sim {
namespace {

constexpr std::uint64_t kMemoryBytes = std::uint64_t{1} << 48;  // whatever a network needs

struct StepCommandOptions {
  std::string trace;
  std::string config;
  LayerSelection selection;
  bool wide = false;
  MemoryTiming memory;
};

using Modes = std::array<OperationCounts, 2>;  // dense, TensorDash

/// An operation.
struct Line {
  std::string name;
  Modes modes;
};

std::int64_t steps(const OperationCounts& counts) {
  return std::accumulate(counts.tile_steps.begin(), counts.tile_steps.end(), std::int64_t{0});
}

std::string quotient(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.2f}", static_cast<double>(part) / static_cast<double>(whole));
}

void add_row(TextTable& table, const std::string& name, const Modes& modes) {
  const OperationCounts& dense = modes[0];
  const OperationCounts& sparse = modes[1];
  const MovedBytes& bytes = sparse.levels.off_chip;
  table.add_row({name, fmt::format("{}", dense.clocks), fmt::format("{}", sparse.clocks),
                 quotient(dense.clocks, sparse.clocks), quotient(dense.clocks, dense.bound),
                 quotient(sparse.clocks, sparse.bound), fmt::format("{}", steps(dense)),
                 fmt::format("{}", steps(sparse)), quotient(steps(dense), steps(sparse)),
                 fmt::format("{}", bytes.read), fmt::format("{}", bytes.written)});
}

/// Every operation in both modes, several at once: jobs run one after the other, so that none
/// changes what another takes.
std::vector<Line> count(const Config& config, const OperandSource& source,
                        const StepCommandOptions& options) {
  std::vector<StepLayout> layouts;  // by mode
  for (const bool dense : {true, false}) {
    StepOptions asked;
    asked.dense = dense;
    asked.wide = options.wide;
    asked.bytes = kMemoryBytes;
    layouts.emplace_back(geometry_of(config), source, options.selection, asked);
  }
  const auto total = static_cast<std::int64_t>(layouts[0].operations().size());
  std::vector<Line> lines;
  for (const PlacedOperation& operation : layouts[0].operations()) {
    lines.push_back({operation.name(), {}});
  }
  Progress shown("operations", 2 * total, ::isatty(STDERR_FILENO) != 0);
  std::mutex mutex;
  std::int64_t done = 0;
  parallel_for(2 * total, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i / 2);
    const auto mode = static_cast<std::size_t>(i % 2);
    const StepLayout& layout = layouts[mode];
    lines[at].modes[mode] = count_operation(config, source, layout.plan(layout.operations()[at]),
                                            options.wide, options.memory);
    const std::lock_guard<std::mutex> lock(mutex);
    shown.show(++done);
  });
  return lines;
}

/// A line for each operation, and their sum.
std::string step_text(const Config& config, const OperandSource& source,
                      const StepCommandOptions& options) {
  const std::vector<Line> lines = count(config, source, options);
  TextTable table;
  table.add_column("operation", TextTable::Align::left);
  for (const char* heading :
       {"dense clocks", "TensorDash", "speed-up", "over bound: dense", "TensorDash",
        "steps of tiles", "TensorDash", "speed-up", "bytes read", "written"}) {
    table.add_column(heading, TextTable::Align::right);
  }
  Modes total;
  for (const Line& line : lines) {
    add_row(table, line.name, line.modes);
    for (std::size_t mode = 0; mode < 2; ++mode) total[mode].add(line.modes[mode]);
  }
  add_row(table, "total", total);
  return table.text();
}

}  // namespace

Command step_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "step", "clocks of a training step on an accelerator, its memory included");
  const auto options = std::make_shared<StepCommandOptions>();
  CLI::Option* trace = app->add_option("trace", options->trace, "trace (safetensors)");
  const auto network = std::make_shared<DrawnNetwork>(*app);
  network->network()->needs(network->sparsity())->excludes(trace);
  network->sparsity()->needs(network->network());
  app->add_option("--config", options->config,
                  "configuration of an accelerator: a TOML file or the name of a preset")
      ->required();
  app->add_option("--snapshot", options->selection.snapshot, "this snapshot only");
  app->add_option("--layer", options->selection.layer,
                  "these layers only: a name, or a pattern of *, ? and [...]");
  app->add_option("--op", options->selection.op, "this operation only: fwd, dgrad or wgrad")
      ->check(CLI::IsMember({"fwd", "dgrad", "wgrad"}));
  app->add_flag("--wide", options->wide, "results as binary32");
  app->add_option("--latency", options->memory.latency,
                  "clocks of the memory, from address to data")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  return {app, [options, network, trace] {
            const Config config = find_config(options->config);
            if (network->network()->count() > 0) {
              const DrawnOperands drawn = network->draw();
              fmt::print("{}", step_text(config, *drawn.operands, *options));
              return kExitPass;
            }
            if (trace->count() == 0) {
              throw UserError("command line", "trace", "missing", "a trace, or --network");
            }
            const Trace file(options->trace);
            fmt::print("{}", step_text(config, TraceOperands(file), *options));
            return kExitPass;
          }};
}

}  // namespace td::sim
