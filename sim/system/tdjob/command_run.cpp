// SPDX-License-Identifier: Apache-2.0
// tdjob run: executes a scenario.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/text_table.hpp"
#include "sim/system/graph/execution.hpp"
#include "sim/system/graph/graph_timeline.hpp"
#include "sim/system/scenario/scenario.hpp"
#include "sim/system/tdjob/commands.hpp"
#include "sim/system/tdjob/registry.hpp"

namespace td::job {

namespace {

using Align = TextTable::Align;

Graph transformed(const NamedGraph& named, const Scenario& scenario) {
  Graph graph = named.graph;
  for (const NamedTransformation& one : scenario.transformations) {
    graph = one.apply(std::move(graph));
  }
  return graph;
}

/// Each resource with the time it works.
std::string resource_table(const Graph& graph, const Schedule& schedule) {
  TextTable table;
  table.add_column("resource", Align::left);
  table.add_column("kind", Align::left);
  table.add_column("busy s", Align::right);
  table.add_column("share %", Align::right);
  const std::vector<double> busy = busy_seconds(graph);
  for (std::size_t i = 0; i < busy.size(); ++i) {
    const double share = schedule.makespan > 0 ? 100 * busy[i] / schedule.makespan : 0;
    table.add_row({graph.resources()[i].name, std::string(to_string(graph.resources()[i].kind)),
                   fmt::format("{:.6g}", busy[i]), fmt::format("{:.1f}", share)});
  }
  return table.text();
}

void run(const ScenarioOptions& options, const std::string& timeline) {
  const Scenario scenario = load_scenario(options.path, scenario_kinds(), options.changes);
  if (scenario.graphs.empty()) throw UserError(options.path, "graph", "(absent)", "a table");
  if (!timeline.empty()) check_writable(timeline);
  bool first = true;
  for (const NamedGraph& named : scenario.graphs) {
    const Graph graph = transformed(named, scenario);
    const Schedule schedule = execute(graph);
    const std::string hardware = named.hardware.empty() ? "" : ", " + named.hardware;
    fmt::print("{}{}: {} tasks, {:.9g} s\n", scenario.name, hardware, graph.tasks().size(),
               schedule.makespan);
    if (const auto steady = steady_seconds(graph, schedule)) {
      fmt::print("an iteration, once it is steady: {:.9g} s\n", *steady);
    }
    fmt::print("{}", resource_table(graph, schedule));
    if (first && !timeline.empty()) write_files({{timeline, timeline_json(graph, schedule)}});
    first = false;
  }
}

}  // namespace

Command run_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("run", "execute a scenario: its time, and who works when");
  struct Options {
    ScenarioOptions scenario;
    std::string timeline;
  };
  const auto options = std::make_shared<Options>();
  add_scenario(*app, options->scenario, "graph, machines and what-ifs (TOML)");
  app->add_option("--timeline", options->timeline,
                  "write what runs when into this file, for Perfetto (of the first hardware)");
  return {app, [options] {
            run(options->scenario, options->timeline);
            return kExitPass;
          }};
}

}  // namespace td::job
