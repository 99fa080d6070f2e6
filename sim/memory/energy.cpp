// SPDX-License-Identifier: Apache-2.0
// Sums over the parts of the memory and over cycles.
#include "sim/memory/energy.hpp"

#include <fmt/format.h>

#include "gen/base/error.hpp"
#include "sim/memory/chip_memories.hpp"
#include "sim/memory/synthesis.hpp"

namespace td::sim {

namespace {

OnChipRows rows_of(const MemoryTraffic& traffic) {
  const SideRows& first = traffic.first;
  const SideRows& second = traffic.second;
  const std::int64_t filled = first.filled_rows + second.filled_rows;
  return {first.total_scratchpad_read_rows() + second.total_scratchpad_read_rows(), filled, filled,
          0};
}

double compute_ratio(const Energy& other, const Energy& tensordash) {
  return tensordash.compute_pJ > 0 ? other.compute_pJ / tensordash.compute_pJ : 1;
}

double system_ratio(const Energy& other, const Energy& tensordash) {
  return other.total_pJ() / tensordash.total_pJ();
}

}  // namespace

ComputeEnergy stated_compute_energy(const Config& config, const Technology& technology) {
  const double dense =
      config.rows * config.columns * config.lanes * technology.mac_pJ(config.format);
  const Synthesis& synthesis = stand_in_synthesis(config);
  StepEnergy parts = synthesis.parts;
  parts.dense_step_pJ = dense;
  if (config.is_dense()) {
    const bool rests = config.scheduling == Scheduling::zero_gated;
    parts.sparse = parts.gated = rests ? parts.zero_gated : parts.dense;
  }
  return {parts, gating_zero_share(config, parts),
          fmt::format("constants of {}, components of {} in {}", technology.name, synthesis.name,
                      synthesis.library)};
}

ComputeEnergy load_compute_energy(const std::string& path, const Config& config) {
  const Synthesis synthesis = load_synthesis(path, config);
  return {synthesis.parts, gating_zero_share(config, synthesis.parts),
          fmt::format("{} ({}, {}, {} MHz, operands of {})", path, synthesis.library,
                      synthesis.corner, synthesis.clock_MHz, synthesis.trace)};
}

SparsePath sparse_path(const ComputeEnergy& compute, const ZeroCount& previous) {
  const bool pays = real(previous.zeros) >= compute.gating_zero_share * real(previous.elements);
  return pays ? SparsePath::on : SparsePath::gated;
}

double OpEnergy::compute_efficiency() const { return compute_ratio(dense, tensordash); }

double OpEnergy::system_efficiency() const { return system_ratio(dense, tensordash); }

double OpEnergy::compute_efficiency_over_zero_gated() const {
  return compute_ratio(zero_gated, tensordash);
}

double OpEnergy::system_efficiency_over_zero_gated() const {
  return system_ratio(zero_gated, tensordash);
}

Energy memory_energy(const Config& config, const Technology& technology, const OnChipRows& rows,
                     const MemoryTraffic& traffic, std::int64_t cycles) {
  const OffChip& off_chip = traffic.compressed;
  const auto bytes = [&](std::int64_t count) { return real(traffic.row_bytes * count); };
  const double result_bytes = real(traffic.output_row_bytes * traffic.output_rows +
                                   kPartialBytes * config.lanes * rows.partial);
  const double turned_bytes = bytes(off_chip.transposed_blocks * config.lanes);
  Energy energy;
  energy.scratchpad_pJ = bytes(rows.scratchpad_read) * technology.scratchpad.read_pJ_per_byte +
                         bytes(rows.filled) * technology.scratchpad.write_pJ_per_byte;
  energy.sram_pJ =
      (bytes(rows.sram_read) + result_bytes) * technology.sram.read_pJ_per_byte +
      (bytes(off_chip.sram_written_rows) + result_bytes) * technology.sram.write_pJ_per_byte;
  energy.transposer_pJ = turned_bytes * (technology.transposer.write_pJ_per_byte +
                                         technology.transposer.read_pJ_per_byte);
  energy.dram_pJ =
      8 * real(off_chip.read_bytes + off_chip.written_bytes) * technology.dram_pJ_per_bit;
  // Of all memories, tiles at work or not: a mW for a ns is a pJ.
  energy.leakage_pJ = of_all_memories(config, technology, &MemoryFigures::leakage_mW) *
                      real(cycles) * 1000 / real(technology.clock_MHz);
  return energy;
}

OpEnergy compute_energy(const Config& config, const OpCycles& cycles, std::int64_t useful_macs,
                        const ComputeEnergy& compute, SparsePath path) {
  const StepEnergy& parts = compute.parts;
  const auto compute_pJ = [&](std::int64_t steps, const StepParts& costs) {
    return parts.dense_step_pJ * energy_of(step_counts(config, cycles, useful_macs, steps), costs);
  };
  OpEnergy energy;
  // A pass of T rows takes a dense tile T steps.
  energy.dense.compute_pJ = compute_pJ(cycles.rows, parts.dense);
  energy.zero_gated.compute_pJ = compute_pJ(cycles.rows, parts.zero_gated);
  energy.tensordash.compute_pJ = path == SparsePath::on
                                     ? compute_pJ(cycles.tile_cycles, parts.sparse)
                                     : compute_pJ(cycles.rows, parts.gated);
  return energy;
}

OpEnergy op_energy(const Config& config, const Technology& technology, const OpCycles& cycles,
                   std::int64_t useful_macs, const MemoryTraffic& traffic,
                   const ComputeEnergy& compute, SparsePath path) {
  const OpEnergy tiles = compute_energy(config, cycles, useful_macs, compute, path);
  const OnChipRows rows = rows_of(traffic);
  const bool on = path == SparsePath::on;
  OpEnergy energy;
  energy.dense = energy.zero_gated =
      memory_energy(config, technology, rows, traffic, traffic.dense_cycles);
  energy.tensordash =
      memory_energy(config, technology, rows, traffic, on ? traffic.cycles : traffic.dense_cycles);
  energy.dense.compute_pJ = tiles.dense.compute_pJ;
  energy.zero_gated.compute_pJ = tiles.zero_gated.compute_pJ;
  energy.tensordash.compute_pJ = tiles.tensordash.compute_pJ;
  return energy;
}

}  // namespace td::sim
