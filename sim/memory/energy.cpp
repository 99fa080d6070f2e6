// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/energy.hpp"

#include <fmt/format.h>

#include "base/support/error.hpp"
#include "sim/memory/synthesis.hpp"

namespace td::sim {

namespace {

double over(double other_pJ, double tensordash_pJ) {
  return tensordash_pJ > 0 ? other_pJ / tensordash_pJ : 1;
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

void Energy::add(const Energy& other) {
  compute_pJ += other.compute_pJ;
  scratchpad_pJ += other.scratchpad_pJ;
  sram_pJ += other.sram_pJ;
  dram_pJ += other.dram_pJ;
  leakage_pJ += other.leakage_pJ;
  surroundings_pJ += other.surroundings_pJ;
}

double TileEnergy::efficiency() const { return over(dense_pJ, tensordash_pJ); }

double TileEnergy::efficiency_over_zero_gated() const { return over(zero_gated_pJ, tensordash_pJ); }

TileEnergy tile_energy(const Config& config, const OpCycles& cycles, std::int64_t useful_macs,
                       const ComputeEnergy& compute, SparsePath path) {
  const StepEnergy& parts = compute.parts;
  const auto pJ = [&](std::int64_t steps, const StepParts& costs) {
    return parts.dense_step_pJ * energy_of(step_counts(config, cycles, useful_macs, steps), costs);
  };
  // A pass of T rows takes a dense tile T steps.
  return {
      pJ(cycles.rows, parts.dense), pJ(cycles.rows, parts.zero_gated),
      path == SparsePath::on ? pJ(cycles.tile_cycles, parts.sparse) : pJ(cycles.rows, parts.gated)};
}

}  // namespace td::sim
