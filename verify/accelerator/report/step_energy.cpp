// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/report/step_energy.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "gen/base/text_table.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/memory/energy.hpp"

namespace td::verify {
namespace {

constexpr const char* kModes[] = {"dense", "TensorDash"};

/// A table with the columns that both have in front.
TextTable table_of(const std::vector<const char*>& headings) {
  TextTable table;
  table.add_column("operation", TextTable::Align::left);
  table.add_column("mode", TextTable::Align::left);
  for (const char* heading : headings) table.add_column(heading, TextTable::Align::right);
  return table;
}

void add_bytes(TextTable& table, const std::string& operation,
               const std::array<sim::LevelBytes, 2>& modes) {
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    std::vector<std::string> cells = {operation, kModes[mode]};
    const sim::LevelBytes& bytes = modes[mode];
    for (const sim::MovedBytes& level :
         {bytes.off_chip, bytes.operands, bytes.scratchpads, bytes.results}) {
      cells.push_back(fmt::format("{}", level.read));
      cells.push_back(fmt::format("{}", level.written));
    }
    table.add_row(cells);
  }
}

void add_energy(TextTable& table, const std::string& operation,
                const std::array<sim::Energy, 2>& modes) {
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    const sim::Energy& energy = modes[mode];
    std::vector<std::string> cells = {operation, kModes[mode]};
    for (const double pJ : {energy.compute_pJ, energy.scratchpad_pJ, energy.sram_pJ, energy.dram_pJ,
                            energy.leakage_pJ, energy.total_pJ()}) {
      cells.push_back(fmt::format("{:.1f}", pJ / 1000));
    }
    cells.push_back(fmt::format("{:.2f}", modes[0].compute_pJ / energy.compute_pJ));
    cells.push_back(fmt::format("{:.2f}", modes[0].total_pJ() / energy.total_pJ()));
    table.add_row(cells);
  }
}

void add(sim::Energy& sum, const sim::Energy& other) {
  sum.compute_pJ += other.compute_pJ;
  sum.scratchpad_pJ += other.scratchpad_pJ;
  sum.sram_pJ += other.sram_pJ;
  sum.dram_pJ += other.dram_pJ;
  sum.leakage_pJ += other.leakage_pJ;
}

}  // namespace

std::string level_table(const StepRunResult& result) {
  TextTable table = table_of({"off chip: read", "written", "operand memories: read", "written",
                              "scratchpads: read", "written", "result memories: read", "written"});
  std::array<sim::LevelBytes, 2> total;
  for (const StepLine& line : result.lines) {
    add_bytes(table, line.operation, {line.modes[0].levels, line.modes[1].levels});
    for (std::size_t mode = 0; mode < 2; ++mode) sim::add(total[mode], line.modes[mode].levels);
  }
  add_bytes(table, "total", total);
  return table.text();
}

std::string energy_table(const Config& config, const StepRunResult& result) {
  const sim::Technology technology = sim::accelerator_technology(config);
  const sim::ComputeEnergy parts = sim::stated_compute_energy(config, technology);
  TextTable table = table_of({"compute", "scratchpads", "large memories", "off chip", "leakage",
                              "total", "efficiency: compute", "total"});
  std::array<sim::Energy, 2> total;
  for (const StepLine& line : result.lines) {
    std::array<sim::Energy, 2> modes;
    for (std::size_t mode = 0; mode < 2; ++mode) {
      const StepCounts& counts = line.modes[mode];
      const sim::OpEnergy tiles =
          sim::compute_energy(config, counts.work, line.useful_macs, parts, sim::SparsePath::on);
      modes[mode] = sim::operation_energy(
          config, technology, mode == 0 ? tiles.dense.compute_pJ : tiles.tensordash.compute_pJ,
          counts.levels, static_cast<std::int64_t>(counts.clocks));
      add(total[mode], modes[mode]);
    }
    add_energy(table, line.operation, modes);
  }
  add_energy(table, "total", total);
  return fmt::format("energy in nJ: {}; memories of {}\n{}", parts.source,
                     technology.memories->text(), table.text());
}

}  // namespace td::verify
