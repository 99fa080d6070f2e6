// SPDX-License-Identifier: Apache-2.0
#include "sim/network/best_mapping.hpp"

#include <utility>

namespace td::sim {

BestMapping::BestMapping(const OperandSource& source, const SimulationOptions& options)
    : source_(source), options_(options), zero_free_(source) {}

void BestMapping::add(const LayerInfo& layer, const Leaving& leaving,
                      std::vector<OpResult>& results) {
  const DataflowMachine machine{options_.config, options_.technology, options_.compute};
  std::vector<DataflowJob> jobs;
  for (const OpResult& result : results) {
    const SparsePath path = result.gated ? SparsePath::gated : SparsePath::on;
    jobs.push_back({source_, layer, result.op, result.cycles, result.useful_macs, result.contents(),
                    path, leaving(result.op)});
  }
  std::vector<BestDataflows> best = best_dataflows(machine, jobs, *options_.mapping);
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].best = std::move(best[i]);
    const bool gated = results[i].best->tensordash.path == SparsePath::gated;
    add_zero_free(machine, jobs[i], *options_.mapping,
                  gated ? DataflowCycles{} : zero_free(layer, results[i]), *results[i].best);
  }
}

DataflowCycles BestMapping::zero_free(const LayerInfo& layer, const OpResult& result) {
  const DataflowResult& best = result.best->tensordash;
  const auto key =
      std::make_tuple(geometry_text(layer), result.op, best.side_b, best.shares_rows,
                      best.dataflow.first_tiles, best.dataflow.chunk_rows, best.dataflow.images);
  const auto found = kept_.find(key);
  if (found != kept_.end()) return found->second;
  return kept_[key] = dataflow_cycles(options_.config, zero_free_, layer, result.op, best);
}

}  // namespace td::sim
