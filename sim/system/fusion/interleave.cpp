// SPDX-License-Identifier: Apache-2.0
#include "sim/system/fusion/interleave.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::job {

const char* bottleneck_of(const AcceleratorWork& work) {
  if (work.tiles >= work.transposers && work.tiles >= work.dram) return "tiles";
  return work.dram >= work.transposers ? "dram" : "transposers";
}

Graph interleaved(const std::vector<AcceleratorWork>& works, int chunks,
                  const std::string& source) {
  constexpr std::size_t on_chip = 3;
  Graph graph(source);
  const ResourceId dram = graph.add({"dram", ResourceKind::input, Policy::fifo});
  const ResourceId transposers = graph.add({"transposers", ResourceKind::compute, Policy::fifo});
  const ResourceId tiles = graph.add({"tiles", ResourceKind::compute, Policy::fifo});
  for (const AcceleratorWork& work : works) {
    std::vector<TaskId> done;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const auto add = [&](const char* phase, ResourceId on, double seconds) {
        return graph.add(
            {fmt::format("{} {}", work.name, chunk), on, seconds / chunks, 0, work.name, phase});
      };
      const TaskId fetched = add("dram", dram, work.dram);
      const TaskId turned = add("transposers", transposers, work.transposers);
      const TaskId multiplied = add("tiles", tiles, work.tiles);
      graph.add_edge(fetched, turned);
      graph.add_edge(turned, multiplied);
      if (done.size() >= on_chip) graph.add_edge(done[done.size() - on_chip], fetched);
      done.push_back(multiplied);
    }
  }
  return graph;
}

double least_seconds(const std::vector<AcceleratorWork>& works) {
  double tiles = 0, transposers = 0, dram = 0;
  for (const AcceleratorWork& work : works) {
    tiles += work.tiles;
    transposers += work.transposers;
    dram += work.dram;
  }
  return std::max({tiles, transposers, dram});
}

}  // namespace td::job
