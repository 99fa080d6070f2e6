// SPDX-License-Identifier: Apache-2.0
// tdjob compare: a scenario's what-ifs, one after the other, on each hardware.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/text_table.hpp"
#include "sim/system/graph/execution.hpp"
#include "sim/system/scenario/scenario.hpp"
#include "sim/system/tdjob/commands.hpp"
#include "sim/system/tdjob/registry.hpp"

namespace td::job {

namespace {

using Align = TextTable::Align;

/// One row: what was executed, on what, and how long it took.
struct Row {
  std::string what;
  std::string hardware;
  double seconds;  ///< of an iteration, once it is steady; of everything where there are not two
  std::string busiest;  ///< resource, and its share of the time
};

/// `repeats`: the time is a steady iteration's. Throws UserError for a graph that has none.
Row row_of(const std::string& what, const std::string& hardware, const Graph& graph, bool repeats) {
  const Schedule schedule = execute(graph);
  const auto steady = repeats ? steady_seconds(graph, schedule) : std::nullopt;
  if (repeats && !steady) {
    throw UserError(graph.source(), "transformation", what,
                    "one that leaves the backward passes of two iterations");
  }
  Row row{what, hardware, steady.value_or(schedule.makespan), "-"};
  const std::vector<double> busy = busy_seconds(graph);
  const auto most =
      static_cast<std::size_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
  if (most < busy.size() && schedule.makespan > 0) {
    row.busiest = fmt::format("{} {:.1f} %", graph.resources()[most].name,
                              100 * busy[most] / schedule.makespan);
  }
  return row;
}

std::vector<Row> rows_of(const Scenario& scenario) {
  std::vector<Row> rows;
  for (const NamedGraph& named : scenario.graphs) {
    Graph graph = named.graph;
    const bool repeats = steady_seconds(graph, execute(graph)).has_value();
    rows.push_back(row_of("as it is", named.hardware, graph, repeats));
    for (const NamedTransformation& one : scenario.transformations) {
      graph = one.apply(std::move(graph));
      rows.push_back(row_of("+ " + one.name, named.hardware, graph, repeats));
    }
  }
  return rows;
}

std::string table_text(const std::vector<Row>& rows) {
  TextTable table;
  table.add_column("what", Align::left);
  table.add_column("hardware", Align::left);
  table.add_column("s", Align::right);
  table.add_column("first row's / this", Align::right);
  table.add_column("busiest", Align::left);
  for (const Row& row : rows) {
    const std::string ratio =
        row.seconds > 0 ? fmt::format("{:.3f}", rows.front().seconds / row.seconds) : "-";
    table.add_row({row.what, row.hardware.empty() ? "-" : row.hardware,
                   fmt::format("{:.9g}", row.seconds), ratio, row.busiest});
  }
  return table.text();
}

/// A JSON line for each row, with all digits.
std::string json_lines(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    const Json line = {{"what", row.what},
                       {"hardware", row.hardware},
                       {"seconds", row.seconds},
                       {"busiest", row.busiest}};
    text += line.dump() + "\n";
  }
  return text;
}

void compare(const ScenarioOptions& options, bool json) {
  const Scenario scenario = load_scenario(options.path, scenario_kinds(), options.changes);
  if (scenario.graphs.empty()) throw UserError(options.path, "graph", "(absent)", "a table");
  const std::vector<Row> rows = rows_of(scenario);
  fmt::print("{}", json ? json_lines(rows) : scenario.name + "\n" + table_text(rows));
}

}  // namespace

Command compare_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "compare", "execute a scenario without its what-ifs and with them, on each hardware");
  struct Options {
    ScenarioOptions scenario;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  add_scenario(*app, options->scenario, "graph, machines and what-ifs (TOML)");
  app->add_flag("--json", options->json, "print a JSON line for each row instead of the table");
  return {app, [options] {
            compare(options->scenario, options->json);
            return kExitPass;
          }};
}

}  // namespace td::job
