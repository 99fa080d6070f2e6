// SPDX-License-Identifier: Apache-2.0
// Exhaustive: a few dozen candidates, of which only two need to be scheduled.
#include "sim/dataflow/search.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "gen/base/error.hpp"
#include "sim/dataflow/chunk_cycles.hpp"

namespace td::sim {

namespace {

double real(std::int64_t count) { return static_cast<double>(count); }

class Search {
 public:
  Search(const DataflowMachine& machine, const LayerInfo& layer, Op op, Which scheduled,
         const TensorContents& contents, Objective objective)
      : machine_(machine),
        scheduled_(scheduled),
        objective_(objective),
        blocks_(super_blocks(Mapping(layer, op, machine.config.lanes))) {
    OpCycles cycles;
    cycles.scheduled = scheduled;
    traffic_ =
        memory_traffic(layer, op, machine.config, machine.technology.clock_MHz, cycles, contents);
  }

  /// Worth trying: uncut streams, and chunks as long as can stay where streams are longer.
  std::vector<std::int64_t> chunk_rows() const {
    const std::int64_t most = scratchpad_rows(machine_.config);
    const bool longer = std::any_of(blocks_.begin(), blocks_.end(),
                                    [most](const SuperBlock& one) { return one.rows() > most; });
    return longer ? std::vector<std::int64_t>{0, most} : std::vector<std::int64_t>{0};
  }

  /// Tries all dataflows with chunks of so many rows. `cycles` is null for dense tiles.
  void run(std::int64_t chunk_rows, const ChunkCycles* cycles,
           std::optional<DataflowResult>& best) {
    const std::int64_t tiles = machine_.config.accelerator.tiles;
    array_cycles_.assign(static_cast<std::size_t>(tiles) + 1, std::nullopt);
    for (const Dataflow& dataflow : candidates(machine_.config, chunk_rows)) {
      if (!obstacle(blocks_, machine_.config, scheduled_, dataflow).empty()) continue;
      const DataflowResult result = evaluate(dataflow, cycles);
      if (!best || result.is_better(*best, objective_)) best = result;
    }
  }

 private:
  DataflowResult evaluate(const Dataflow& dataflow, const ChunkCycles* cycles) {
    DataflowResult result;
    result.dataflow = dataflow;
    result.counts = dataflow_counts(blocks_, machine_.config, scheduled_, dataflow);
    result.cycles = result.counts.array_rows;
    result.tile_cycles = result.counts.tile_rows;
    double tile_pJ = machine_.compute.dense_tile_pJ_per_cycle;
    if (cycles != nullptr) {
      result.cycles = array_cycles(*cycles, dataflow);
      result.tile_cycles = cycles->tile_cycles();
      tile_pJ = machine_.compute.tile_pJ_per_cycle;
    }
    result.memory_cycles = std::max(
        {result.cycles, traffic_.compressed.transposer_cycles, traffic_.compressed.dram_cycles});
    result.energy = energy(result.counts);
    result.energy.compute_pJ = real(result.tile_cycles) * tile_pJ;
    return result;
  }

  /// The sums over waves are long: once for each number of tiles.
  std::int64_t array_cycles(const ChunkCycles& cycles, const Dataflow& dataflow) {
    std::optional<std::int64_t>& found =
        array_cycles_[static_cast<std::size_t>(dataflow.first_tiles)];
    if (!found) found = cycles.array_cycles(dataflow.first_tiles, dataflow.second_tiles);
    return *found;
  }

  /// But for compute.
  Energy energy(const DataflowCounts& counts) const {
    const Technology& technology = machine_.technology;
    const OffChip& off_chip = traffic_.compressed;
    const double row_bytes = real(traffic_.row_bytes);
    const double partial_bytes = 4 * real(machine_.config.lanes * counts.partial_rows);
    const double output_bytes = real(traffic_.output_row_bytes * traffic_.output_rows);
    const auto both = [&](std::int64_t StreamRows::*rows) {
      return row_bytes * real(counts.first.*rows + counts.second.*rows);
    };
    const double turned_bytes =
        row_bytes * real(off_chip.transposed_blocks * machine_.config.lanes);
    Energy energy;
    energy.scratchpad_pJ =
        both(&StreamRows::scratchpad_read) * technology.scratchpad_read_pJ_per_byte +
        both(&StreamRows::filled) * technology.scratchpad_write_pJ_per_byte;
    energy.sram_pJ = (both(&StreamRows::sram_read) + partial_bytes + output_bytes) *
                         technology.sram_read_pJ_per_byte +
                     (row_bytes * real(off_chip.sram_written_rows) + partial_bytes + output_bytes) *
                         technology.sram_write_pJ_per_byte;
    energy.transposer_pJ = turned_bytes * (technology.transposer_write_pJ_per_byte +
                                           technology.transposer_read_pJ_per_byte);
    energy.dram_pJ =
        8 * real(off_chip.read_bytes + off_chip.written_bytes) * technology.dram_pJ_per_bit;
    return energy;
  }

  const DataflowMachine& machine_;
  Which scheduled_;
  Objective objective_;
  std::vector<SuperBlock> blocks_;
  MemoryTraffic traffic_;
  const ChunkCycles* known_ = nullptr;                     ///< whose sums are in array_cycles_
  std::vector<std::optional<std::int64_t>> array_cycles_;  ///< [first tiles], of one run
};

}  // namespace

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

BestDataflows best_dataflows(const DataflowMachine& machine, const OperandSource& source,
                             const LayerInfo& layer, Op op, Which scheduled,
                             const TensorContents& contents, Objective objective) {
  const Config& config = machine.config;
  if (config.scheduling == Scheduling::two_sided) {
    throw UserError(config.name, "tile.scheduling", "two_sided", "one_sided, where it is mapped");
  }
  Search search(machine, layer, op, scheduled, contents, objective);
  std::optional<DataflowResult> dense;
  std::optional<DataflowResult> tensordash;
  for (const std::int64_t chunk_rows : search.chunk_rows()) {
    search.run(chunk_rows, nullptr, dense);
    const ChunkCycles cycles(config, source, layer, op, scheduled, chunk_rows);
    search.run(chunk_rows, &cycles, tensordash);
  }
  return {*dense, *tensordash};  // uncut streams have no obstacle
}

}  // namespace td::sim
