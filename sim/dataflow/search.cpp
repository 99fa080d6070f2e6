// SPDX-License-Identifier: Apache-2.0
// Exhaustive: a few dozen candidates, of which only two need to be scheduled.
#include "sim/dataflow/search.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "gen/base/error.hpp"
#include "sim/dataflow/side_search.hpp"
#include "sim/trace/shared_rows.hpp"

namespace td::sim {

namespace {

void refuse_two_sided(const Config& config) {
  if (config.scheduling != Scheduling::two_sided) return;
  throw UserError(config.name, "tile.scheduling", "two_sided", "one_sided, where it is mapped");
}

}  // namespace

const char* DataflowResult::limit() const {
  return memory_cycles == cycles              ? "tiles"
         : memory_cycles == sram_cycles       ? "SRAM"
         : memory_cycles == transposer_cycles ? "transposers"
                                              : "DRAM";
}

bool DataflowResult::is_better(const DataflowResult& other, Objective objective) const {
  const auto score = [objective](const DataflowResult& one) {
    const double time = real(one.memory_cycles);
    const double pJ = one.energy.total_pJ();
    // Where time is equal, as where the DRAM binds, energy decides.
    return objective == Objective::energy ? std::make_pair(pJ, time)
           : objective == Objective::time ? std::make_pair(time, pJ)
                                          : std::make_pair(time * pJ, time);
  };
  return score(*this) < score(other);
}

namespace {

/// The best of each kind of hardware so far.
struct Found {
  std::optional<DataflowResult> dense;
  std::optional<DataflowResult> zero_gated;
  std::optional<DataflowResult> tensordash;
};

/// The operation's streams in one of the two ways.
Streams streams_of(const DataflowMachine& machine, const DataflowJob& job, const DataflowGoal& goal,
                   const OperandSource& source, const LayerInfo& layer) {
  Streams streams{source, layer, &layer != &job.layer, {}};
  if (goal.ideas.storage) streams.stored = stored_shares(machine.config, source, layer, job.op);
  return streams;
}

/// With the sparse path on. Cut streams first: uncut ones are then often out of the question, and
/// need not be scheduled; where equal, they win.
DataflowResult best_sparse(const DataflowMachine& machine, const DataflowJob& job,
                           const DataflowGoal& goal, const Streams& streams,
                           const SideSearch& search) {
  const auto best_of = [&](std::int64_t chunk_rows) {
    const ChunkCycles cycles(machine.config, streams.source, streams.layer, job.op,
                             job.cycles.scheduled, chunk_rows);
    std::optional<DataflowResult> best;
    search.run(chunk_rows, &OpEnergy::tensordash, &cycles, best);
    return best;
  };
  std::optional<DataflowResult> cut;
  if (const std::int64_t most = search.chunk_rows().back(); most > 0) cut = best_of(most);
  if (cut && search.beats_uncut(*cut)) return *cut;
  const std::optional<DataflowResult> uncut = best_of(0);  // has no obstacle
  return cut && cut->is_better(*uncut, goal.objective) ? *cut : *uncut;
}

/// The best of TensorDash with these streams. Where gating gains nothing, the sparse path is on.
DataflowResult best_tensordash(const DataflowMachine& machine, const DataflowJob& job,
                               const DataflowGoal& goal, const Streams& streams) {
  const SideSearch search(machine, job, streams, job.cycles.scheduled, goal);
  std::optional<DataflowResult> gated;
  if (goal.ideas.gating || job.path == SparsePath::gated) {
    for (const std::int64_t chunk_rows : search.chunk_rows()) {
      search.run(chunk_rows, &OpEnergy::tensordash, nullptr, gated);
    }
  }
  if (job.path == SparsePath::gated) return *gated;
  const DataflowResult sparse = best_sparse(machine, job, goal, streams, search);
  return gated && gated->is_better(sparse, goal.objective) ? *gated : sparse;
}

void try_streams(const DataflowMachine& machine, const DataflowJob& job, const DataflowGoal& goal,
                 const Streams& streams, Found& found) {
  for (const Which side_b : {Which::first, Which::second}) {
    const SideSearch search(machine, job, streams, side_b, goal);
    for (const std::int64_t chunk_rows : search.chunk_rows()) {
      search.run(chunk_rows, &OpEnergy::dense, nullptr, found.dense);
      search.run(chunk_rows, &OpEnergy::zero_gated, nullptr, found.zero_gated);
    }
  }
  const DataflowResult tensordash = best_tensordash(machine, job, goal, streams);
  if (!found.tensordash || tensordash.is_better(*found.tensordash, goal.objective)) {
    found.tensordash = tensordash;
  }
}

}  // namespace

BestDataflows best_dataflows(const DataflowMachine& machine, const DataflowJob& job,
                             const DataflowGoal& goal) {
  refuse_two_sided(machine.config);
  Found found;
  try_streams(machine, job, goal, streams_of(machine, job, goal, job.source, job.layer), found);
  if (goal.ideas.sharing && can_share_rows(job.layer, job.op, machine.config.lanes)) {
    const SharedRowOperands shared(job.source, job.layer);
    try_streams(machine, job, goal, streams_of(machine, job, goal, shared, shared.layer()), found);
  }
  return {*found.dense, *found.zero_gated, *found.tensordash, {}};
}

DataflowCycles dataflow_cycles(const Config& config, const OperandSource& source,
                               const LayerInfo& layer, Op op, const DataflowResult& tensordash) {
  const Dataflow& dataflow = tensordash.dataflow;
  const auto cycles_of = [&](const OperandSource& operands, const LayerInfo& laid_out) {
    const ChunkCycles cycles(config, operands, laid_out, op, tensordash.side_b,
                             dataflow.chunk_rows);
    return DataflowCycles{cycles.array_cycles(dataflow.first_tiles, dataflow.second_tiles),
                          cycles.tile_cycles()};
  };
  if (!tensordash.shares_rows) return cycles_of(source, layer);
  const SharedRowOperands shared(source, layer);
  return cycles_of(shared, shared.layer());
}

void add_zero_free(const DataflowMachine& machine, const DataflowJob& job, const DataflowGoal& goal,
                   const DataflowCycles& zero_free, BestDataflows& best) {
  // A gated operation drops nothing, filled-in zeros neither.
  const bool gated = best.tensordash.path == SparsePath::gated;
  const std::int64_t cycles = gated ? best.tensordash.cycles : zero_free.array;
  const std::int64_t rows = gated ? best.tensordash.tile_cycles : zero_free.tiles;
  const std::int64_t memory = memory_cycles(best.tensordash, cycles);
  const auto energy = [&](Kind kind, const DataflowResult& result) {
    // What is stored how, results know themselves.
    const LayerInfo layer = result.shares_rows ? with_shared_rows(job.layer) : job.layer;
    const Streams streams{job.source, layer, result.shares_rows, {}};
    const SideSearch search(machine, job, streams, result.side_b, goal);
    return search.energy(kind, result, rows, rows, memory);
  };
  best.zero_free = {cycles, memory, energy(&OpEnergy::dense, best.dense),
                    energy(&OpEnergy::zero_gated, best.zero_gated)};
}

}  // namespace td::sim
