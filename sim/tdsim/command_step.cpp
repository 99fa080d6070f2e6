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

/// Every operation in a mode, several at once: jobs run one after the other, so that none changes
/// what another takes.
void count(const Config& config, const OperandSource& source, const StepCommandOptions& options,
           std::size_t mode, std::vector<Modes>& lines, std::vector<std::string>& names) {
  StepOptions asked;
  asked.dense = mode == 0;
  asked.wide = options.wide;
  asked.bytes = kMemoryBytes;
  const StepLayout layout(geometry_of(config), source, options.selection, asked);
  const std::vector<PlacedOperation>& operations = layout.operations();
  const auto total = static_cast<std::int64_t>(operations.size());
  lines.resize(operations.size());
  names.resize(operations.size());
  Progress shown("operations", 2 * total, ::isatty(STDERR_FILENO) != 0);
  std::mutex mutex;
  std::int64_t done = static_cast<std::int64_t>(mode) * total;
  parallel_for(total, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const StepOperation planned = layout.plan(operations[at]);
    names[at] = planned.name();
    lines[at][mode] = count_operation(config, source, planned, options.wide, options.memory);
    const std::lock_guard<std::mutex> lock(mutex);
    shown.show(++done);
  });
}

/// A line for each operation, and their sum.
std::string step_text(const Config& config, const OperandSource& source,
                      const StepCommandOptions& options) {
  std::vector<std::string> names;
  std::vector<Modes> lines;
  for (std::size_t mode = 0; mode < 2; ++mode) count(config, source, options, mode, lines, names);
  TextTable table;
  table.add_column("operation", TextTable::Align::left);
  for (const char* heading :
       {"dense clocks", "TensorDash", "speed-up", "over bound: dense", "TensorDash",
        "steps of tiles", "TensorDash", "speed-up", "bytes read", "written"}) {
    table.add_column(heading, TextTable::Align::right);
  }
  Modes total;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    add_row(table, names[i], lines[i]);
    for (std::size_t mode = 0; mode < 2; ++mode) total[mode].add(lines[i][mode]);
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
