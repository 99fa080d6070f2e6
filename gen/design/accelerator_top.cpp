// SPDX-License-Identifier: Apache-2.0
#include "gen/design/accelerator_top.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <utility>

#include "base/configuration/format.hpp"
#include "base/configuration/geometry.hpp"
#include "base/support/version.hpp"
#include "gen/design/verilog_text.hpp"

namespace td {
namespace {

std::vector<std::string> values(const Config& config) {
  const Geometry geometry = geometry_of(config);
  std::vector<std::pair<std::string, std::int64_t>> list = {
      {"TILES", geometry.tiles},
      {"STREAMS", geometry.lines},
      {"LANES", geometry.lanes},
      {"WIDTH", stored_width(config.format)},
      {"OPERAND_ROWS", geometry.operand_rows},
      {"BANK_ROWS", geometry.bank_rows},
      {"FILL_ROWS", geometry.fill_rows},
      {"BEAT_ROWS", geometry.beat_rows},
      {"UNPACK_ROWS", geometry.unpack_rows},
      {"RESULT_WORDS", geometry.result_words},
      {"COLLECT_WORDS", geometry.collect_words},
      {"ADDRESS_WIDTH", kAddressBits},
      {"OUTSTANDING", geometry.outstanding},
      {"DEPTH", config.depth}};
  std::vector<std::string> words;
  for (const auto& [name, value] : list) words.push_back(fmt::format(".{}({})", name, value));
  words.emplace_back(".KIND_BITS(KIND_BITS)");
  words.emplace_back(".KIND(KIND)");
  return words;
}

/// What td1_tile_unit knows its tile by, the last in the low bits; a dense tile has no pattern.
std::string emit_kind(const Config& config) {
  const bool dense = config.is_dense();
  const int options = dense ? 1 : static_cast<int>(config.options.size());
  const std::pair<const char*, int> fields[] = {
      {"TREE_REGISTERS", config.tree_registers},
      {"ADDER_REGISTERS", config.adder_registers},
      {"MULTIPLIER_REGISTERS", config.multiplier_registers},
      {"INTERCONNECT_REGISTERS", dense ? 0 : config.interconnect_registers},
      {"SCHEDULER_REGISTERS", dense ? 0 : config.scheduler_registers},
      {"ACCUMULATORS", config.accumulators},
      {"FUSED", config.sum == Sum::fused ? 1 : 0},
      {"LEVELS", dense ? 1 : static_cast<int>(config.levels.size())},
      {"OPTIONS", options},
      {"EXP", exponent_bits(config.format)},
      {"RESTS", config.scheduling == Scheduling::zero_gated ? 1 : 0},
      {"FRONT", dense ? 2 : 1}};
  const int pattern_bits = 8 * (2 * options + config.lanes);
  std::string text = fmt::format(
      "  // Kind of tile, see td1_tile\n  localparam KIND_BITS = {};\n"
      "  localparam [KIND_BITS-1:0] KIND = {{\n      {},  // pattern\n",
      32 * std::size(fields) + static_cast<std::size_t>(pattern_bits),
      dense ? fmt::format("{}'d0", pattern_bits) : "LEVEL, OFFSET, STEP");
  for (const auto& [name, value] : fields) {
    const bool last = std::string_view(name) == "FRONT";
    text += fmt::format("      32'd{}{}  // {}\n", value, last ? " " : ",", name);
  }
  return text + "  };\n\n";
}

std::string port_lines(const std::vector<Port>& ports) {
  std::string text;
  for (const Port& port : ports) {
    const std::string range = port.factor == 1 ? "" : fmt::format("[{:>3}:0]", port.factor - 1);
    const std::string end = &port == &ports.back() ? "" : ",";
    const std::string comment = port.text == "..." ? "" : "// " + port.text;
    std::string line = fmt::format("    {} wire {:<7} {:<17}{}",
                                   port.direction == Direction::input ? "input " : "output", range,
                                   port.name + end, comment);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string accelerator_name(const Config& config) { return config.name + "_accelerator"; }

std::string emit_accelerator(const Config& config) {
  const std::vector<Port> ports = accelerator_ports(config);
  return fmt::format(
      "// SPDX-License-Identifier: 0BSD\n"
      "// Accelerator of {} {} of {}x{} PEs with {} lanes, {} operands.\n"
      "// Written by TensorDash tdgen {} from configuration {} ({}, accelerator {}).\n"
      "`default_nettype none\n\n"
      "module {} (\n{});\n{}{}  {}_accelerator #(\n{}\n  ) u_accelerator (\n{}\n  );\n"
      "endmodule\n`default_nettype wire\n",
      config.accelerator.tiles, config.accelerator.tiles == 1 ? "tile" : "tiles", config.rows,
      config.columns, config.lanes, to_string(config.format), kGeneratorVersion, config.name,
      config_hash_text(config), accelerator_hash_text(config), accelerator_name(config),
      port_lines(ports), config.is_dense() ? "" : emit_tables(config), emit_kind(config),
      kGeneration, wrapped(values(config), "      ", ","), connections(ports));
}

}  // namespace td
