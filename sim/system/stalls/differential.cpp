// SPDX-License-Identifier: Apache-2.0
#include "sim/system/stalls/differential.hpp"

#include <algorithm>

#include "sim/system/graph/execution.hpp"
#include "sim/system/graph/transformation.hpp"

namespace td::job {

DifferentialAnalysis analyse_runs(const EpochRun& run, double noise) {
  DifferentialAnalysis analysis;
  analysis.accelerator_s = run(DataSource::synthetic);
  const double cached_s = run(DataSource::cached);
  const double cold_s = run(DataSource::cold);
  analysis.preprocess_stall_s = std::max(cached_s - analysis.accelerator_s, 0.0);
  analysis.fetch_stall_s = std::max(cold_s - cached_s, 0.0);
  if (analysis.fetch_stall_s > noise * cold_s) {
    analysis.bottleneck = Bottleneck::fetch;
  } else if (analysis.preprocess_stall_s > noise * cold_s) {
    analysis.bottleneck = Bottleneck::preprocess;
  }
  return analysis;
}

EpochRun executed_epochs(const DataPath& path, std::int64_t batches, const std::string& source) {
  return [path, batches, source](DataSource from) {
    Graph graph = epoch_graph(path, from == DataSource::cold ? 0 : 1, batches, source);
    if (from == DataSource::synthetic) {
      graph = remove(std::move(graph),
                     select(graph, [](const Task& task) { return task.phase != "train"; }));
    }
    return execute(graph).makespan;
  };
}

}  // namespace td::job
