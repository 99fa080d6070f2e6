// SPDX-License-Identifier: Apache-2.0
// Exhaustive: a few dozen candidates, of which only two need to be scheduled.
#include "sim/dataflow/search.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "gen/base/error.hpp"
#include "sim/dataflow/bandwidth.hpp"
#include "sim/dataflow/chunk_cycles.hpp"

namespace td::sim {

namespace {

/// The kinds of hardware, by where their energy stands.
using Kind = Energy OpEnergy::*;

/// Rows that have as many bits as are moved.
OnChipRows rows_of(const DataflowCounts& counts, const ReadShares& shares,
                   const DataflowIdeas& ideas) {
  const auto both = [&](std::int64_t StreamRows::*rows) {
    return std::llround(shares.first * real(counts.first.*rows) +
                        shares.second * real(counts.second.*rows));
  };
  return {both(&StreamRows::scratchpad_read), both(&StreamRows::filled),
          both(ideas.multicast ? &StreamRows::sram_read : &StreamRows::filled),
          counts.partial_rows};
}

/// Did the tiles take so many cycles.
std::int64_t memory_cycles(const DataflowResult& result, std::int64_t cycles) {
  return std::max({cycles, result.sram_cycles, result.transposer_cycles, result.dram_cycles});
}

/// One operation with one side's streams in the tile rows.
class Search {
 public:
  Search(const DataflowMachine& machine, const DataflowJob& job, const StoredShares& shares,
         Which side_b, const DataflowGoal& goal)
      : machine_(machine),
        job_(job),
        shares_(shares),
        side_b_(side_b),
        goal_(goal),
        blocks_(super_blocks(Mapping(job.layer, job.op, machine.config.lanes))),
        uncut_(traffic(ChipOrder::operands)),
        cut_(traffic(goal.ideas.sums ? ChipOrder::results : ChipOrder::operands)) {}

  /// Worth trying: uncut streams, and chunks as long as can stay where streams are longer.
  std::vector<std::int64_t> chunk_rows() const {
    const std::int64_t most = scratchpad_rows(machine_.config);
    const bool longer = std::any_of(blocks_.begin(), blocks_.end(),
                                    [most](const SuperBlock& one) { return one.rows() > most; });
    return longer && goal_.ideas.chunks ? std::vector<std::int64_t>{0, most}
                                        : std::vector<std::int64_t>{0};
  }

  /// Tries all dataflows with chunks of so many rows. `cycles` is null where passes take as many
  /// cycles as they have rows.
  void run(std::int64_t chunk_rows, Kind kind, const ChunkCycles* cycles,
           std::optional<DataflowResult>& best) const {
    for (const Dataflow& dataflow : candidates(machine_.config, chunk_rows)) {
      if (!obstacle(blocks_, machine_.config, side_b_, dataflow).empty()) continue;
      const DataflowResult result = evaluate(dataflow, kind, cycles);
      if (!best || result.is_better(*best, goal_.objective)) best = result;
    }
  }

  /// Of tiles that take so many steps, dense ones as many as there are rows, in so many cycles with
  /// memory.
  Energy energy(Kind kind, const DataflowResult& result, std::int64_t rows, std::int64_t steps,
                std::int64_t memory_cycles) const {
    OpCycles cycles = job_.cycles;
    cycles.rows = rows;
    cycles.passes = result.counts.passes;
    cycles.tile_cycles = steps;
    Energy energy = memory_energy(machine_.config, machine_.technology,
                                  rows_of(result.counts, result.shares, goal_.ideas),
                                  traffic_of(result.dataflow), memory_cycles);
    energy.compute_pJ =
        (compute_energy(machine_.config, cycles, job_.useful_macs, machine_.compute, job_.path).*
         kind)
            .compute_pJ;
    return energy;
  }

 private:
  MemoryTraffic traffic(ChipOrder order) const {
    return memory_traffic(job_.layer, job_.op, machine_.config, machine_.technology.clock_MHz,
                          job_.cycles, job_.contents, order);
  }

  /// A pass over a whole stream needs all of it on the chip.
  const MemoryTraffic& traffic_of(const Dataflow& dataflow) const {
    return dataflow.chunk_rows > 0 ? cut_ : uncut_;
  }

  DataflowResult evaluate(const Dataflow& dataflow, Kind kind, const ChunkCycles* cycles) const {
    DataflowResult result;
    result.dataflow = dataflow;
    result.side_b = side_b_;
    result.counts = dataflow_counts(blocks_, machine_.config, side_b_, dataflow);
    result.shares = kind == &OpEnergy::tensordash ? shares_.tensordash : shares_.dense;
    result.cycles = result.counts.array_rows;
    result.tile_cycles = result.counts.tile_rows;
    if (cycles != nullptr) {
      result.cycles = cycles->array_cycles(dataflow.first_tiles, dataflow.second_tiles);
      result.tile_cycles = cycles->tile_cycles();
    }
    const OffChip& off_chip = traffic_of(dataflow).compressed;
    result.sram_cycles = sram_cycles(result);
    result.transposer_cycles = off_chip.transposer_cycles;
    result.dram_cycles = off_chip.dram_cycles;
    result.memory_cycles = memory_cycles(result, result.cycles);
    result.energy =
        energy(kind, result, result.counts.tile_rows, result.tile_cycles, result.memory_cycles);
    return result;
  }

  std::int64_t sram_cycles(const DataflowResult& result) const {
    const MemoryTraffic& traffic = traffic_of(result.dataflow);
    const OffChip& off_chip = traffic.compressed;
    const auto read = [this](const StreamRows& rows, double share) {
      return std::llround(share * real(goal_.ideas.multicast ? rows.sram_read : rows.filled));
    };
    const SramRows rows{
        read(result.counts.first, result.shares.first) + off_chip.first_written_rows,
        read(result.counts.second, result.shares.second) + off_chip.sram_written_rows -
            off_chip.first_written_rows,
        result.counts.partial_rows};
    return sim::sram_cycles(machine_.config, machine_.technology, rows, traffic);
  }

  const DataflowMachine& machine_;
  const DataflowJob& job_;
  const StoredShares& shares_;
  Which side_b_;
  const DataflowGoal& goal_;
  std::vector<SuperBlock> blocks_;
  MemoryTraffic uncut_;  ///< off the chip, where streams are not cut
  MemoryTraffic cut_;
};

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

BestDataflows best_dataflows(const DataflowMachine& machine, const DataflowJob& job,
                             const DataflowGoal& goal) {
  const Config& config = machine.config;
  refuse_two_sided(config);
  StoredShares shares;
  if (goal.ideas.storage) shares = stored_shares(config, job.source, job.layer, job.op);
  std::optional<DataflowResult> dense;
  std::optional<DataflowResult> zero_gated;
  std::optional<DataflowResult> tensordash;
  for (const Which side_b : {Which::first, Which::second}) {
    const Search search(machine, job, shares, side_b, goal);
    for (const std::int64_t chunk_rows : search.chunk_rows()) {
      search.run(chunk_rows, &OpEnergy::dense, nullptr, dense);
      search.run(chunk_rows, &OpEnergy::zero_gated, nullptr, zero_gated);
      if (side_b != job.cycles.scheduled) continue;
      std::optional<ChunkCycles> cycles;
      if (job.path == SparsePath::on) {
        cycles.emplace(config, job.source, job.layer, job.op, side_b, chunk_rows);
      }
      search.run(chunk_rows, &OpEnergy::tensordash, cycles ? &*cycles : nullptr, tensordash);
    }
  }
  return {*dense, *zero_gated, *tensordash, {}};  // uncut streams have no obstacle
}

DataflowCycles dataflow_cycles(const Config& config, const OperandSource& source,
                               const LayerInfo& layer, Op op, const DataflowResult& tensordash) {
  const Dataflow& dataflow = tensordash.dataflow;
  const ChunkCycles cycles(config, source, layer, op, tensordash.side_b, dataflow.chunk_rows);
  return {cycles.array_cycles(dataflow.first_tiles, dataflow.second_tiles), cycles.tile_cycles()};
}

void add_zero_free(const DataflowMachine& machine, const DataflowJob& job, const DataflowGoal& goal,
                   const DataflowCycles& zero_free, BestDataflows& best) {
  // A gated operation drops nothing, filled-in zeros neither.
  const bool gated = job.path == SparsePath::gated;
  const std::int64_t cycles = gated ? best.tensordash.cycles : zero_free.array;
  const std::int64_t rows = gated ? best.tensordash.tile_cycles : zero_free.tiles;
  const StoredShares plain;  // results have their own
  const Search search(machine, job, plain, best.tensordash.side_b, goal);
  const std::int64_t memory = memory_cycles(best.tensordash, cycles);
  best.zero_free = {cycles, memory, search.energy(&OpEnergy::dense, best.dense, rows, rows, memory),
                    search.energy(&OpEnergy::zero_gated, best.zero_gated, rows, rows, memory)};
}

}  // namespace td::sim
