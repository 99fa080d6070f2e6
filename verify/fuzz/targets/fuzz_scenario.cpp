// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a scenario whose graph is written down in it, and its schedule.
#include <string>

#include "sim/system/graph/execution.hpp"
#include "sim/system/graph/graph_timeline.hpp"
#include "sim/system/scenario/scenario.hpp"
#include "sim/system/scenario/task_list.hpp"
#include "verify/fuzz/target.hpp"
#include "verify/fuzz/targets/memory_file.hpp"

namespace td::verify {

namespace {

/// Those that read no other file.
const job::ScenarioKinds kKinds = {{{"tasks", job::build_task_list}},
                                   {{"scale", job::read_scale}, {"remove", job::read_remove}},
                                   {}};

void check(const std::string& path) {
  const job::Scenario scenario = job::load_scenario(path, kKinds);
  check_printable(scenario.name, "the name of a scenario");
  for (const job::NamedGraph& named : scenario.graphs) {
    job::Graph graph = named.graph;
    for (const auto& one : scenario.transformations) graph = one.apply(std::move(graph));
    const job::Schedule schedule = job::execute(graph);
    for (const job::Edge& edge : graph.edges()) {
      must(schedule.start[edge.after] >= schedule.end[edge.before], "inputs come first");
    }
    must(!job::timeline_json(graph, schedule).empty(), "there is a timeline");
  }
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const td::verify::MemoryFile file(data, size);
  td::verify::judge([&] { td::verify::check(file.path()); });
  return 0;
}
