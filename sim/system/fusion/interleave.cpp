// SPDX-License-Identifier: Apache-2.0
#include "sim/system/fusion/interleave.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::job {

const char* bottleneck_of(const AcceleratorWork& work) {
  if (work.tiles >= work.reads && work.tiles >= work.writes) return "tiles";
  return work.reads >= work.writes ? "reads" : "writes";
}

Graph interleaved(const std::vector<AcceleratorWork>& works, int chunks,
                  const std::string& source) {
  constexpr std::size_t on_chip = 3;
  Graph graph(source);
  const ResourceId reads = graph.add({"reads", ResourceKind::input, Policy::fifo});
  const ResourceId tiles = graph.add({"tiles", ResourceKind::compute, Policy::fifo});
  const ResourceId writes = graph.add({"writes", ResourceKind::compute, Policy::fifo});
  for (const AcceleratorWork& work : works) {
    std::vector<TaskId> done;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const auto add = [&](const char* phase, ResourceId on, double seconds) {
        return graph.add(
            {fmt::format("{} {}", work.name, chunk), on, seconds / chunks, 0, work.name, phase});
      };
      const TaskId read = add("reads", reads, work.reads);
      const TaskId multiplied = add("tiles", tiles, work.tiles);
      const TaskId written = add("writes", writes, work.writes);
      graph.add_edge(read, multiplied);
      graph.add_edge(multiplied, written);
      if (done.size() >= on_chip) graph.add_edge(done[done.size() - on_chip], read);
      done.push_back(written);
    }
  }
  return graph;
}

double least_seconds(const std::vector<AcceleratorWork>& works) {
  double reads = 0, tiles = 0, writes = 0;
  for (const AcceleratorWork& work : works) {
    reads += work.reads;
    tiles += work.tiles;
    writes += work.writes;
  }
  return std::max({reads, tiles, writes});
}

}  // namespace td::job
