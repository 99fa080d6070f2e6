// SPDX-License-Identifier: Apache-2.0
#include "sim/driven/driven_energy.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/support/text_table.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/memory/energy.hpp"

namespace td::sim {
namespace {

/// A table with the columns that both have in front.
TextTable table_of(const std::vector<const char*>& headings) {
  TextTable table;
  table.add_column("operation", TextTable::Align::left);
  table.add_column("mode", TextTable::Align::left);
  for (const char* heading : headings) table.add_column(heading, TextTable::Align::right);
  return table;
}

void add_bytes(TextTable& table, const std::string& operation,
               const std::array<LevelBytes, 2>& modes) {
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    std::vector<std::string> cells = {operation, kModeNames[mode]};
    const LevelBytes& bytes = modes[mode];
    for (const MovedBytes& level :
         {bytes.off_chip, bytes.operands, bytes.scratchpads, bytes.results}) {
      cells.push_back(fmt::format("{}", level.read));
      cells.push_back(fmt::format("{}", level.written));
    }
    table.add_row(cells);
  }
}

void add_energy(TextTable& table, const std::string& operation, const ModeEnergies& modes) {
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    const Energy& energy = modes[mode];
    std::vector<std::string> cells = {operation, kModeNames[mode]};
    for (const double pJ : {energy.compute_pJ, energy.scratchpad_pJ, energy.sram_pJ, energy.dram_pJ,
                            energy.leakage_pJ, energy.surroundings_pJ, energy.total_pJ()}) {
      cells.push_back(fmt::format("{:.1f}", pJ / 1000));
    }
    cells.push_back(fmt::format("{:.2f}", modes[0].compute_pJ / energy.compute_pJ));
    cells.push_back(fmt::format("{:.2f}", modes[0].total_pJ() / energy.total_pJ()));
    table.add_row(cells);
  }
}

}  // namespace

std::string level_table(const StepRunResult& result) {
  TextTable table = table_of({"off chip: read", "written", "operand memories: read", "written",
                              "scratchpads: read", "written", "result memories: read", "written"});
  for (const StepLine& line : result.lines) {
    add_bytes(table, line.operation(), {line.modes[0].model.levels, line.modes[1].model.levels});
  }
  add_bytes(table, "total", {result.total(0).model.levels, result.total(1).model.levels});
  return table.text();
}

DrivenEnergy driven_energy(const Config& config, const Technology& technology,
                           const StepRunResult& result) {
  DrivenEnergy energy;
  energy.technology = technology;
  energy.parts = stated_compute_energy(config, energy.technology);
  for (const StepLine& line : result.lines) {
    const SparsePath path = line.drops || config.is_dense() ? SparsePath::on : SparsePath::gated;
    ModeEnergies modes;
    for (std::size_t mode = 0; mode < 2; ++mode) {
      const StepCounts& counts = line.modes[mode];
      const TileEnergy tiles =
          tile_energy(config, counts.model.work, line.useful_macs, energy.parts, path);
      modes[mode] = operation_energy(
          config, energy.technology, mode == 0 ? tiles.dense_pJ : tiles.tensordash_pJ,
          bf16_mac_pJ(config, energy.technology, energy.parts), counts.model.levels,
          static_cast<std::int64_t>(counts.clocks.busy));
      energy.total[mode].add(modes[mode]);
    }
    energy.lines.push_back(modes);
  }
  return energy;
}

std::string energy_table(const StepRunResult& result, const DrivenEnergy& energy) {
  TextTable table = table_of({"compute", "scratchpads", "large memories", "off chip", "leakage",
                              "around tiles", "total", "efficiency: compute", "total"});
  for (std::size_t i = 0; i < result.lines.size(); ++i) {
    add_energy(table, result.lines[i].operation(), energy.lines[i]);
  }
  add_energy(table, "total", energy.total);
  return fmt::format("energy in nJ: {}; memories of {}\n{}", energy.parts.source,
                     energy.technology.memories->text(), table.text());
}

}  // namespace td::sim
