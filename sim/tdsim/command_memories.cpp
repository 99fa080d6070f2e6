// SPDX-License-Identifier: Apache-2.0
// tdsim memories: what a configuration's memories take in every node and device type.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/configuration/preset.hpp"
#include "base/support/error.hpp"
#include "base/support/text_table.hpp"
#include "sim/memory/chip_memories.hpp"
#include "sim/tdsim/commands.hpp"

namespace td::sim {

namespace {

using Align = TextTable::Align;

/// The technology with memories of another node or device type; nothing where the table lacks a
/// size.
std::optional<Technology> with_memories(const Config& config, Technology technology,
                                        const std::vector<MemoryLine>& table,
                                        const MemoryChoice& choice) {
  for (const MemoryKind& kind : memory_kinds()) {
    const MemoryLine* line = find_memory(table, choice, config.accelerator.*kind.bytes);
    if (line == nullptr) return std::nullopt;
    technology.*kind.figures = line->figures;
  }
  technology.memories = choice;
  return technology;
}

std::vector<std::string> cells_of(const Config& config, const Technology& technology) {
  std::vector<std::string> cells = {fmt::format("{}", technology.memories->node_nm),
                                    technology.memories->device};
  for (const MemoryKind& kind : memory_kinds()) {
    const MemoryFigures& memory = technology.*kind.figures;
    cells.push_back(fmt::format("{:.3f}", memory.read_pJ_per_byte));
    cells.push_back(fmt::format("{:.3f}", memory.write_pJ_per_byte));
  }
  for (const auto figure : {&MemoryFigures::leakage_mW, &MemoryFigures::area_mm2}) {
    cells.push_back(fmt::format("{:.2f}", of_all_memories(config, technology, figure)));
  }
  std::vector<std::int64_t> clocks;
  for (const MemoryKind& kind : memory_kinds()) {
    clocks.push_back(access_clocks(technology.*kind.figures, technology.clock_MHz));
  }
  cells.push_back(fmt::format("{}", fmt::join(clocks, "/")));
  cells.push_back(fmt::format("{}", fastest_MHz(technology)));
  return cells;
}

std::string table_text(const Config& config, const Technology& own) {
  TextTable text;
  text.add_column("nm", Align::right);
  text.add_column("device", Align::left);
  for (const char* heading : {"SRAM: read", "write", "scratchpad: read", "write", "leakage mW",
                              "area mm2", "clocks", "most MHz"}) {
    text.add_column(heading, Align::right);
  }
  text.add_column("", Align::left);
  const std::vector<MemoryLine>& table = memory_table(own.memories->table, own.name);
  std::set<std::pair<std::int64_t, std::string>> shown;
  for (const MemoryLine& line : table) {
    if (!shown.emplace(line.node_nm, line.device).second) continue;
    MemoryChoice choice = *own.memories;
    choice.node_nm = line.node_nm;
    choice.device = line.device;
    const std::optional<Technology> one = with_memories(config, own, table, choice);
    if (!one) continue;
    std::vector<std::string> cells = cells_of(config, *one);
    cells.push_back(choice.text() == own.memories->text() ? own.name : "");
    text.add_row(cells);
  }
  return text.text();
}

std::string head_text(const Config& config, const Technology& technology) {
  std::string text =
      fmt::format("memories of {} in {}, ports of {} bits, {} MHz\n", config.name,
                  technology.memories->table, technology.memories->port_bits, technology.clock_MHz);
  for (const MemoryKind& kind : memory_kinds()) {
    text += fmt::format("{} of {} = {}\n", kind.count(config), kind.size,
                        config.accelerator.*kind.bytes);
  }
  return text + "pJ a byte; leakage and area of all together; clocks of an access of each\n\n";
}

}  // namespace

Command memories_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "memories", "print what memories take in every node and device type of a table");
  struct Options {
    std::string config;
    std::string technology = "cacti_45nm";
  };
  const auto options = std::make_shared<Options>();
  app->add_option("--config", options->config, "configuration: a TOML file or the name of a preset")
      ->required();
  app->add_option("--technology", options->technology,
                  "table, port width and clock: a TOML file or the name of a built-in one with "
                  "[memories] (default cacti_45nm)");
  return {app, [options] {
            const Config config = find_config(options->config);
            const Technology technology = find_technology(options->technology, config);
            if (!technology.memories) {
              throw UserError("command line", "--technology", options->technology,
                              "a technology with [memories]");
            }
            std::fputs((head_text(config, technology) + table_text(config, technology)).c_str(),
                       stdout);
            return kExitPass;
          }};
}

}  // namespace td::sim
