// SPDX-License-Identifier: Apache-2.0
// tdsim step: what a training step takes on an accelerator, its memory included.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "gen/base/error.hpp"
#include "gen/base/progress.hpp"
#include "gen/base/text_table.hpp"
#include "gen/configuration/geometry.hpp"
#include "gen/configuration/preset.hpp"
#include "sim/accelerator/driver/step_model.hpp"
#include "sim/accelerator/driver/training_step.hpp"
#include "sim/tdsim/commands.hpp"
#include "sim/trace/trace.hpp"

namespace td::sim {
namespace {

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

void add_row(TextTable& table, const std::string& name, const Modes& modes) {
  std::vector<std::string> row = {name};
  for (const auto& [dense, sparse] :
       {std::pair{modes[0].clocks, modes[1].clocks}, std::pair{steps(modes[0]), steps(modes[1])}}) {
    row.push_back(fmt::format("{}", dense));
    row.push_back(fmt::format("{}", sparse));
    row.push_back(sparse == 0 ? "-"
                              : fmt::format("{:.2f}", static_cast<double>(dense) /
                                                          static_cast<double>(sparse)));
  }
  const MovedBytes& bytes = modes[1].levels.off_chip;
  row.push_back(fmt::format("{}", bytes.read));
  row.push_back(fmt::format("{}", bytes.written));
  table.add_row(row);
}

/// A line for each operation, and their sum.
std::string step_text(const Config& config, const Trace& trace, const StepCommandOptions& options) {
  const Geometry geometry = geometry_of(config);
  std::vector<std::string> names;
  std::vector<Modes> lines;
  const bool progress = ::isatty(STDERR_FILENO) != 0;
  for (std::size_t mode = 0; mode < 2; ++mode) {
    StepOptions plan;
    plan.dense = mode == 0;
    plan.wide = options.wide;
    const TrainingStep step(geometry, trace, options.selection, plan);
    const std::size_t count = step.operations().size();
    lines.resize(count);
    names.resize(count);
    Progress shown("operations", static_cast<std::int64_t>(2 * count), progress);
    StepModel model(config, step, options.memory);
    for (std::size_t i = 0; i < count; ++i) {
      const StepOperation& operation = step.operations()[i];
      names[i] = fmt::format("{}/{}", path(*operation.layer), to_string(operation.op));
      lines[i][mode] = model.run(operation);
      shown.show(static_cast<std::int64_t>(mode * count + i + 1));
    }
  }
  TextTable table;
  table.add_column("operation", TextTable::Align::left);
  for (const char* heading : {"dense clocks", "TensorDash", "speed-up", "steps of tiles",
                              "TensorDash", "speed-up", "bytes read", "written"}) {
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
  app->add_option("trace", options->trace, "trace (safetensors)")->required();
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
  return {app, [options] {
            const Trace trace(options->trace);
            const Config config = find_config(options->config);
            fmt::print("{}", step_text(config, trace, *options));
            return kExitPass;
          }};
}

}  // namespace td::sim
