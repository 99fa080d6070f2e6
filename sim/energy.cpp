// SPDX-License-Identifier: Apache-2.0
// Sums over the parts of the memory and over cycles.
#include "sim/energy.hpp"

#include <fmt/format.h>

#include "gen/error.hpp"
#include "sim/synthesis.hpp"

namespace td::sim {

namespace {

double real(std::int64_t count) { return static_cast<double>(count); }

void check_same(const std::string& dense_path, const std::string& field, const std::string& dense,
                const std::string& path, const std::string& other) {
  if (dense == other) return;
  throw UserError(dense_path, field, dense, fmt::format("{}, as in {}", other, path));
}

/// What both kinds of hardware spend; compute is left out.
Energy memory_energy(const Config& config, const Technology& technology,
                     const MemoryTraffic& traffic) {
  const SideRows& first = traffic.first;
  const SideRows& second = traffic.second;
  const double read_bytes = real(traffic.row_bytes * (first.total_scratchpad_read_rows() +
                                                      second.total_scratchpad_read_rows()));
  const double filled_bytes = real(traffic.row_bytes * (first.filled_rows + second.filled_rows));
  const double fetched_bytes = real(traffic.row_bytes * traffic.compressed.sram_written_rows);
  const double output_bytes = real(traffic.output_row_bytes * traffic.output_rows);
  const double turned_bytes =
      real(traffic.compressed.transposed_blocks * config.lanes * traffic.row_bytes);
  Energy energy;
  energy.scratchpad_pJ = read_bytes * technology.scratchpad_read_pJ_per_byte +
                         filled_bytes * technology.scratchpad_write_pJ_per_byte;
  energy.sram_pJ = (filled_bytes + output_bytes) * technology.sram_read_pJ_per_byte +
                   (fetched_bytes + output_bytes) * technology.sram_write_pJ_per_byte;
  energy.transposer_pJ = turned_bytes * (technology.transposer_write_pJ_per_byte +
                                         technology.transposer_read_pJ_per_byte);
  energy.dram_pJ = 8 * real(traffic.compressed.read_bytes + traffic.compressed.written_bytes) *
                   technology.dram_pJ_per_bit;
  return energy;
}

}  // namespace

ComputeEnergy stated_compute_energy(const Config& config, const Technology& technology) {
  ComputeEnergy energy;
  energy.dense_tile_pJ_per_cycle =
      config.rows * config.columns * config.lanes * technology.mac_pJ(config.format);
  energy.tile_pJ_per_cycle = energy.dense_tile_pJ_per_cycle *
                             (config.is_dense() ? 1 : technology.power_ratio(config.format));
  return energy;
}

bool has_stated_power_ratio(const Config& config) {
  if (config.is_dense()) return true;
  return config.scheduling == Scheduling::one_sided && config.rows == 4 && config.columns == 4 &&
         config.lanes == 16 && config.depth == 3 && config.places.size() == 8;
}

ComputeEnergy load_compute_energy(const std::string& path, const Config& config,
                                  const std::string& dense_path, const Config& dense,
                                  const Technology& technology) {
  Config counterpart = config;
  counterpart.name = dense.name;
  counterpart.scheduling = Scheduling::dense;
  if (canonical_toml(counterpart) != canonical_toml(dense)) {
    throw UserError(dense_path, "configuration", dense.name,
                    fmt::format("{} with tile.scheduling = \"dense\"", config.name));
  }
  const Synthesis tile = load_synthesis(path, config);
  const Synthesis dense_tile = load_synthesis(dense_path, dense);
  if (tile.clock_MHz != real(technology.clock_MHz)) {
    throw UserError(
        path, "clock_MHz", fmt::format("{}", tile.clock_MHz),
        fmt::format("{}, the clock of technology {}", technology.clock_MHz, technology.name));
  }
  check_same(dense_path, "clock_MHz", fmt::format("{}", dense_tile.clock_MHz), path,
             fmt::format("{}", tile.clock_MHz));
  check_same(dense_path, "library", dense_tile.library, path, tile.library);
  check_same(dense_path, "corner", dense_tile.corner, path, tile.corner);
  return {dense_tile.tile_pJ_per_cycle, tile.tile_pJ_per_cycle};
}

SparsePath sparse_path(const Technology& technology, const ZeroCount& previous) {
  const bool pays = real(previous.zeros) >= technology.gating_zero_share * real(previous.elements);
  return pays ? SparsePath::on : SparsePath::gated;
}

double OpEnergy::compute_efficiency() const {
  return tensordash.compute_pJ > 0 ? dense.compute_pJ / tensordash.compute_pJ : 1;
}

double OpEnergy::system_efficiency() const { return dense.total_pJ() / tensordash.total_pJ(); }

OpEnergy op_energy(const Config& config, const Technology& technology, const OpCycles& cycles,
                   const MemoryTraffic& traffic, const ComputeEnergy& compute, SparsePath path) {
  OpEnergy energy;
  energy.dense = memory_energy(config, technology, traffic);
  // A pass of T rows takes a dense tile T cycles.
  energy.dense.compute_pJ = real(cycles.rows) * compute.dense_tile_pJ_per_cycle;
  energy.tensordash = energy.dense;
  if (path == SparsePath::on) {
    energy.tensordash.compute_pJ = real(cycles.tile_cycles) * compute.tile_pJ_per_cycle;
  }
  return energy;
}

}  // namespace td::sim
