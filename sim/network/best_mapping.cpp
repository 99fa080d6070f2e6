// SPDX-License-Identifier: Apache-2.0
#include "sim/network/best_mapping.hpp"

namespace td::sim {

BestMapping::BestMapping(const OperandSource& source, const SimulationOptions& options)
    : source_(source), options_(options), zero_free_(source) {}

void BestMapping::add(const LayerInfo& layer, const std::optional<LeavingResult>& stored,
                      OpResult& result) {
  const DataflowMachine machine{options_.config, options_.technology, options_.compute};
  const DataflowJob job{source_,
                        layer,
                        result.op,
                        result.cycles,
                        result.useful_macs,
                        result.contents(),
                        result.gated ? SparsePath::gated : SparsePath::on,
                        stored};
  result.best = best_dataflows(machine, job, *options_.mapping);
  const bool gated = result.best->tensordash.path == SparsePath::gated;
  add_zero_free(machine, job, *options_.mapping,
                gated ? DataflowCycles{} : zero_free(layer, result), *result.best);
}

DataflowCycles BestMapping::zero_free(const LayerInfo& layer, const OpResult& result) {
  const DataflowResult& best = result.best->tensordash;
  const auto key = std::make_tuple(geometry_text(layer), result.op, best.side_b, best.shares_rows,
                                   best.dataflow.first_tiles, best.dataflow.chunk_rows);
  const auto found = kept_.find(key);
  if (found != kept_.end()) return found->second;
  return kept_[key] = dataflow_cycles(options_.config, zero_free_, layer, result.op, best);
}

}  // namespace td::sim
