// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/energy/operation_energy.hpp"

#include <fmt/format.h>

#include <numeric>

#include "base/configuration/geometry.hpp"
#include "sim/memory/chip_memories.hpp"

namespace td::sim {
namespace {

double moved_pJ(const MovedBytes& bytes, const MemoryFigures& memory) {
  return real(bytes.read) * memory.read_pJ_per_byte +
         real(bytes.written) * memory.write_pJ_per_byte;
}

/// Of all memories, in a clock. A mW for a ns is a pJ.
double leakage_pJ(const Config& config, const Technology& technology) {
  return of_all_memories(config, technology, &MemoryFigures::leakage_mW) * 1000 /
         real(technology.clock_MHz);
}

PlanCosts::Tile tile_costs(double dense_step_pJ, const StepParts& parts) {
  return {dense_step_pJ * parts.output, dense_step_pJ * parts.row,
          dense_step_pJ * (parts.step + parts.sum),
          dense_step_pJ * (parts.choice + parts.pair + parts.add)};
}

/// What stands around the tiles takes in a clock.
double clock_steps(const Config& config, const SurroundingsCosts& costs) {
  const Geometry geometry = geometry_of(config);
  return costs.clock + costs.clock_of_row_byte * real(geometry.row_bytes()) +
         costs.clock_of_tile_line * real(geometry.tiles * geometry.lines);
}

}  // namespace

OpCycles tile_work(const Geometry& geometry, const ComputeCounts& after,
                   const ComputeCounts& before) {
  const auto steps = [](const ComputeCounts& counts) {
    return std::accumulate(counts.tile_cycles.begin(), counts.tile_cycles.end(), std::int64_t{0});
  };
  OpCycles work;
  work.passes = after.passes - before.passes;
  work.rows = after.rows - before.rows;
  work.tile_cycles = steps(after) - steps(before);
  const std::int64_t pairs =
      work.rows * geometry.lines * geometry.lanes - (after.skipped - before.skipped);
  work.multipliers.effectual = pairs * geometry.lines;
  return work;
}

Technology accelerator_technology(const Config& config) {
  TechnologyChanges changes;
  changes.memories = fmt::format("45/itrs-lop/{}", 8 * geometry_of(config).row_bytes());
  return find_technology("cacti_45nm", config, changes);
}

double surroundings_steps(const Config& config, const SurroundingsCosts& costs,
                          const LevelBytes& bytes, std::int64_t clocks) {
  const Geometry geometry = geometry_of(config);
  // With each row all elements of a transposer move, which has as many rows as lanes.
  return real(clocks) * clock_steps(config, costs) + real(bytes.operands.read) * costs.filled +
         real(bytes.transposed * geometry.lanes) * costs.transposed +
         real(bytes.scratchpads.read) * costs.passed +
         real(bytes.results.written) * costs.collected + real(bytes.off_chip.read) * costs.loaded +
         real(bytes.off_chip.written) * costs.stored;
}

double bf16_mac_pJ(const Config& config, const Technology& technology,
                   const ComputeEnergy& compute) {
  return compute.parts.dense_step_pJ / (config.rows * config.columns * config.lanes) *
         technology.mac_pJ(Format::bf16) / technology.mac_pJ(config.format);
}

Aim aim_of(const Config& config, const Technology& technology, const ComputeEnergy& compute,
           Objective objective) {
  const auto level = [](const MemoryFigures& memory) -> PlanCosts::Level {
    return {memory.read_pJ_per_byte, memory.write_pJ_per_byte};
  };
  const Surroundings& around = built_in_surroundings();
  const double step = around.macs * bf16_mac_pJ(config, technology, compute);
  const double bus = 8 * technology.dram_pJ_per_bit;
  PlanCosts costs;
  costs.off_chip = {bus + around.costs.loaded * step, bus + around.costs.stored * step};
  costs.operands = costs.results = level(technology.sram);
  costs.scratchpads = level(technology.scratchpad);
  costs.operands.read += around.costs.filled * step;
  costs.results.written += around.costs.collected * step;
  costs.scratchpads.read += around.costs.passed * step;
  costs.clock = leakage_pJ(config, technology) + clock_steps(config, around.costs) * step;
  costs.dense = tile_costs(compute.parts.dense_step_pJ, compute.parts.dense);
  costs.gated = tile_costs(compute.parts.dense_step_pJ, compute.parts.gated);
  costs.dropping = tile_costs(compute.parts.dense_step_pJ, compute.parts.sparse);
  return {objective, costs};
}

Energy operation_energy(const Config& config, const Technology& technology, double compute_pJ,
                        double mac_pJ, const LevelBytes& bytes, std::int64_t clocks) {
  Energy energy;
  energy.compute_pJ = compute_pJ;
  energy.scratchpad_pJ = moved_pJ(bytes.scratchpads, technology.scratchpad);
  energy.sram_pJ =
      moved_pJ(bytes.operands, technology.sram) + moved_pJ(bytes.results, technology.sram);
  energy.dram_pJ =
      8 * real(bytes.off_chip.read + bytes.off_chip.written) * technology.dram_pJ_per_bit;
  energy.leakage_pJ = leakage_pJ(config, technology) * real(clocks);
  const Surroundings& around = built_in_surroundings();
  energy.surroundings_pJ =
      surroundings_steps(config, around.costs, bytes, clocks) * around.macs * mac_pJ;
  return energy;
}

}  // namespace td::sim
