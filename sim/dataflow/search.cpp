// SPDX-License-Identifier: Apache-2.0
// Exhaustive: a few dozen candidates, of which only two need to be scheduled.
#include "sim/dataflow/search.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gen/base/error.hpp"
#include "sim/dataflow/gradient_parts.hpp"
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

std::pair<double, double> DataflowResult::score(Objective objective) const {
  const double time = real(memory_cycles);
  const double pJ = energy.total_pJ();
  // Where time is equal, as where the DRAM binds, energy decides.
  return objective == Objective::energy ? std::make_pair(pJ, time)
         : objective == Objective::time ? std::make_pair(time, pJ)
                                        : std::make_pair(time * pJ, time);
}

bool DataflowResult::is_better(const DataflowResult& other, Objective objective) const {
  return score(objective) < other.score(objective);
}

namespace {

/// The operation's streams in one of the two ways.
Streams streams_of(const DataflowMachine& machine, const DataflowJob& job, const DataflowGoal& goal,
                   const OperandSource& source, const LayerInfo& layer) {
  Streams streams{source, layer, &layer != &job.layer, {}};
  if (goal.ideas.storage) streams.stored = stored_shares(machine.config, source, layer, job.op);
  return streams;
}

/// Cycles of streams with the sparse path on; each length of chunks is scheduled at most once.
class ScheduledStreams {
 public:
  ScheduledStreams(const Config& config, const DataflowJob& job, const Streams& streams)
      : config_(config), job_(job), streams_(streams) {}

  const ChunkCycles& in_chunks(std::int64_t rows) {
    const auto found = done_.find(rows);
    if (found != done_.end()) return found->second;
    return done_
        .try_emplace(rows, config_, streams_.source, streams_.layer, job_.op, job_.cycles.scheduled,
                     rows)
        .first->second;
  }

 private:
  const Config& config_;
  const DataflowJob& job_;
  const Streams& streams_;
  std::map<std::int64_t, ChunkCycles> done_;
};

void take_better(const std::optional<DataflowResult>& one, Objective objective,
                 std::optional<DataflowResult>& best) {
  if (one && (!best || one->is_better(*best, objective))) best = one;
}

/// With the sparse path on. Cut streams first: uncut ones are then often out of the question, and
/// need not be scheduled; where equal, they win.
std::optional<DataflowResult> best_sparse(const SideSearch& search, const GradientParts* parts,
                                          Objective objective, ScheduledStreams& scheduled) {
  std::optional<DataflowResult> cut;
  if (const std::int64_t most = search.chunk_rows().back(); most > 0) {
    search.run(most, parts, &OpEnergy::tensordash, &scheduled.in_chunks(most), cut);
  }
  if (cut && search.beats_uncut(*cut, parts)) return cut;
  std::optional<DataflowResult> best;
  search.run(0, parts, &OpEnergy::tensordash, &scheduled.in_chunks(0), best);
  take_better(cut, objective, best);
  return best;
}

/// One operation's search, by itself or with output gradients that come in once.
struct Search {
  const DataflowMachine& machine;
  const DataflowJob& job;
  const DataflowGoal& goal;

  /// Where gating gains nothing, the sparse path is on.
  std::optional<DataflowResult> tensordash(const Streams& streams, const GradientParts* parts,
                                           ScheduledStreams& scheduled) const {
    const SideSearch search(machine, job, streams, job.cycles.scheduled, goal);
    std::optional<DataflowResult> gated;
    if (goal.ideas.gating || job.path == SparsePath::gated) {
      for (const std::int64_t chunk_rows : search.chunk_rows()) {
        search.run(chunk_rows, parts, &OpEnergy::tensordash, nullptr, gated);
      }
    }
    if (job.path == SparsePath::gated) return gated;
    std::optional<DataflowResult> best = best_sparse(search, parts, goal.objective, scheduled);
    take_better(gated, goal.objective, best);
    return best;
  }

  void add(const Streams& streams, const GradientParts* parts, ScheduledStreams& scheduled,
           FoundDataflows& found) const {
    for (const Which side_b : {Which::first, Which::second}) {
      const SideSearch search(machine, job, streams, side_b, goal);
      for (const std::int64_t chunk_rows : search.chunk_rows()) {
        search.run(chunk_rows, parts, &OpEnergy::dense, nullptr, found.dense);
        search.run(chunk_rows, parts, &OpEnergy::zero_gated, nullptr, found.zero_gated);
      }
    }
    take_better(tensordash(streams, parts, scheduled), goal.objective, found.tensordash);
  }
};

/// What was found for an operation.
struct Searched {
  FoundDataflows alone;
  FoundDataflows once;  ///< output gradients come in once
};

/// `parts` is null where output gradients come in for each operation.
Searched search_dataflows(const Search& search, const GradientParts* parts) {
  const DataflowJob& job = search.job;
  Searched found;
  const auto try_streams = [&](const OperandSource& source, const LayerInfo& layer) {
    const Streams streams = streams_of(search.machine, job, search.goal, source, layer);
    ScheduledStreams scheduled(search.machine.config, job, streams);
    search.add(streams, nullptr, scheduled, found.alone);
    if (parts != nullptr) search.add(streams, parts, scheduled, found.once);
  };
  try_streams(job.source, job.layer);
  if (search.goal.ideas.sharing && can_share_rows(job.layer, job.op, search.machine.config.lanes)) {
    const SharedRowOperands shared(job.source, job.layer);
    try_streams(shared, shared.layer());
  }
  return found;
}

/// Where both together are better so, they share what came in once.
void share_gradients(Objective objective, Searched& dgrad, Searched& wgrad) {
  const auto sum = [objective](const DataflowResult& one, const DataflowResult& other) {
    const auto [a, then_a] = one.score(objective);
    const auto [b, then_b] = other.score(objective);
    return std::make_pair(a + b, then_a + then_b);
  };
  for (const auto kind :
       {&FoundDataflows::dense, &FoundDataflows::zero_gated, &FoundDataflows::tensordash}) {
    const auto& one = dgrad.once.*kind;
    const auto& two = wgrad.once.*kind;
    if (!one || !two || sum(*one, *two) >= sum(*(dgrad.alone.*kind), *(wgrad.alone.*kind))) {
      continue;
    }
    dgrad.alone.*kind = one;
    wgrad.alone.*kind = two;
  }
}

}  // namespace

std::vector<BestDataflows> best_dataflows(const DataflowMachine& machine,
                                          const std::vector<DataflowJob>& jobs,
                                          const DataflowGoal& goal) {
  refuse_two_sided(machine.config);
  const auto find = [&](Op op) {
    return std::find_if(jobs.begin(), jobs.end(),
                        [op](const DataflowJob& one) { return one.op == op; });
  };
  const auto dgrad = find(Op::dgrad);
  const auto wgrad = find(Op::wgrad);
  std::optional<GradientParts> parts;
  if (goal.ideas.gradients && dgrad != jobs.end() && wgrad != jobs.end()) {
    parts = gradient_parts(machine.config, jobs.front().layer);
  }
  std::vector<Searched> found;
  for (const DataflowJob& job : jobs) {
    const bool shares = parts && job.op != Op::fwd;
    found.push_back(search_dataflows({machine, job, goal}, shares ? &*parts : nullptr));
  }
  if (parts) {
    share_gradients(goal.objective, found[static_cast<std::size_t>(dgrad - jobs.begin())],
                    found[static_cast<std::size_t>(wgrad - jobs.begin())]);
  }
  std::vector<BestDataflows> best;
  for (const Searched& one : found) best.emplace_back(one.alone);
  return best;
}

DataflowCycles dataflow_cycles(const Config& config, const OperandSource& source,
                               const LayerInfo& layer, Op op, const DataflowResult& tensordash) {
  const Dataflow& dataflow = tensordash.dataflow;
  const auto cycles_of = [&](const OperandSource& operands, const LayerInfo& laid_out) {
    const ChunkCycles cycles(config, operands, laid_out, op, tensordash.side_b,
                             dataflow.chunk_rows);
    return DataflowCycles{cycles.array_cycles(dataflow), cycles.tile_cycles()};
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
