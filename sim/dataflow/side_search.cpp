// SPDX-License-Identifier: Apache-2.0
#include "sim/dataflow/side_search.hpp"

#include <algorithm>
#include <cmath>

#include "sim/dataflow/bandwidth.hpp"

namespace td::sim {

namespace {

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

}  // namespace

std::int64_t memory_cycles(const DataflowResult& result, std::int64_t cycles) {
  return std::max({cycles, result.sram_cycles, result.transposer_cycles, result.dram_cycles});
}

SideSearch::SideSearch(const DataflowMachine& machine, const DataflowJob& job,
                       const Streams& streams, Which side_b, const DataflowGoal& goal)
    : machine_(machine),
      job_(job),
      streams_(streams),
      side_b_(side_b),
      goal_(goal),
      blocks_(super_blocks(Mapping(streams.layer, job.op, machine.config.lanes))),
      uncut_(traffic(ChipOrder::operands)),
      cut_(traffic(goal.ideas.sums ? ChipOrder::results : ChipOrder::operands)),
      once_(traffic(ChipOrder::gradients)) {}

std::vector<std::int64_t> SideSearch::chunk_rows() const {
  const std::int64_t most = scratchpad_rows(machine_.config);
  const bool longer = std::any_of(blocks_.begin(), blocks_.end(),
                                  [most](const SuperBlock& one) { return one.rows() > most; });
  return longer && goal_.ideas.chunks ? std::vector<std::int64_t>{0, most}
                                      : std::vector<std::int64_t>{0};
}

std::vector<Dataflow> SideSearch::legal(std::int64_t chunk_rows, const GradientParts* parts) const {
  std::vector<Dataflow> result;
  for (Dataflow dataflow : candidates(machine_.config, chunk_rows)) {
    if (parts != nullptr) {
      dataflow.images = parts->images;
      dataflow.kept_rows = job_.op == Op::dgrad ? parts->sum_rows : 0;
    }
    if (obstacle(blocks_, machine_.config, side_b_, dataflow).empty()) result.push_back(dataflow);
  }
  return result;
}

void SideSearch::run(std::int64_t chunk_rows, const GradientParts* parts, Kind kind,
                     const ChunkCycles* cycles, std::optional<DataflowResult>& best) const {
  std::optional<DataflowCycles> taken;
  std::int64_t first_tiles = 0;
  for (const Dataflow& dataflow : legal(chunk_rows, parts)) {
    // Which side stays does not matter to cycles.
    if (cycles != nullptr && dataflow.first_tiles != first_tiles) {
      first_tiles = dataflow.first_tiles;
      taken = {cycles->array_cycles(dataflow), cycles->tile_cycles()};
    }
    const DataflowResult result = evaluate(dataflow, parts != nullptr, kind, taken);
    if (!best || result.is_better(*best, goal_.objective)) best = result;
  }
}

bool SideSearch::beats_uncut(const DataflowResult& best, const GradientParts* parts) const {
  if (streams_.shares_rows || job_.cycles.dealing != Dealing::natural) return false;
  for (const Dataflow& dataflow : legal(0, parts)) {
    const std::int64_t tiles = dataflow.first_tiles * dataflow.second_tiles;
    const std::int64_t steps = job_.cycles.tile_cycles;
    const DataflowResult least = evaluate(dataflow, parts != nullptr, &OpEnergy::tensordash,
                                          DataflowCycles{ceil_div(steps, tiles), steps});
    if (!best.is_better(least, goal_.objective)) return false;
  }
  return true;
}

Energy SideSearch::energy(Kind kind, const DataflowResult& result, std::int64_t rows,
                          std::int64_t steps, std::int64_t memory_cycles) const {
  OpCycles cycles = job_.cycles;
  cycles.rows = rows;
  cycles.passes = result.counts.passes;
  cycles.tile_cycles = steps;
  Energy energy = memory_energy(machine_.config, machine_.technology,
                                rows_of(result.counts, result.shares, goal_.ideas),
                                traffic_of(result), memory_cycles);
  energy.compute_pJ =
      (compute_energy(machine_.config, cycles, job_.useful_macs, machine_.compute, result.path).*
       kind)
          .compute_pJ;
  return energy;
}

MemoryTraffic SideSearch::traffic(ChipOrder order) const {
  const bool as_made = !goal_.ideas.results || !job_.result;
  return memory_traffic(job_.layer, job_.op, machine_.config, machine_.technology.clock_MHz,
                        job_.cycles, job_.contents,
                        {order, &streams_.layer, as_made ? nullptr : &*job_.result});
}

DataflowResult SideSearch::evaluate(const Dataflow& dataflow, bool gradients_once, Kind kind,
                                    const std::optional<DataflowCycles>& cycles) const {
  DataflowResult result;
  result.dataflow = dataflow;
  result.gradients_once = gradients_once;
  result.side_b = side_b_;
  result.shares_rows = streams_.shares_rows;
  result.path = kind == &OpEnergy::tensordash && !cycles ? SparsePath::gated : SparsePath::on;
  result.counts = dataflow_counts(blocks_, machine_.config, side_b_, dataflow);
  result.shares =
      kind == &OpEnergy::tensordash ? streams_.stored.tensordash : streams_.stored.dense;
  result.cycles = result.counts.array_rows;
  result.tile_cycles = result.counts.tile_rows;
  if (cycles) {
    result.cycles = cycles->array;
    result.tile_cycles = cycles->tiles;
  }
  const OffChip& off_chip = traffic_of(result).compressed;
  result.sram_cycles = sram_cycles(result);
  result.transposer_cycles = off_chip.transposer_cycles;
  result.dram_cycles = off_chip.dram_cycles;
  result.dram_bytes = off_chip.read_bytes + off_chip.written_bytes;
  result.memory_cycles = memory_cycles(result, result.cycles);
  result.energy =
      energy(kind, result, result.counts.tile_rows, result.tile_cycles, result.memory_cycles);
  return result;
}

std::int64_t SideSearch::sram_cycles(const DataflowResult& result) const {
  const MemoryTraffic& traffic = traffic_of(result);
  const OffChip& off_chip = traffic.compressed;
  const auto read = [this](const StreamRows& rows, double share) {
    return std::llround(share * real(goal_.ideas.multicast ? rows.sram_read : rows.filled));
  };
  const SramRows rows{read(result.counts.first, result.shares.first) + off_chip.first_written_rows,
                      read(result.counts.second, result.shares.second) +
                          off_chip.sram_written_rows - off_chip.first_written_rows,
                      result.counts.partial_rows};
  return sim::sram_cycles(machine_.config, machine_.technology, rows, traffic);
}

}  // namespace td::sim
