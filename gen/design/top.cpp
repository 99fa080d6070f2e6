// SPDX-License-Identifier: Apache-2.0
#include "gen/design/top.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/configuration/format.hpp"
#include "base/configuration/parameters.hpp"
#include "base/support/version.hpp"
#include "gen/design/ports.hpp"
#include "gen/design/verilog_text.hpp"

namespace td {
namespace {

/// The parameters that the tile is instantiated with.
std::vector<std::string> tile_parameters(const Config& config) {
  std::vector<std::pair<std::string, int>> values = {
      {"LANES", config.lanes},
      {"WIDTH", width(config.format)},
      {"EXP", exponent_bits(config.format)},
      {"OUTPUT_WIDTH", config.output == Format::bf16 ? 16 : 32},
      {"COUNTER_WRAP", config.counter_wrap},
      {"DEPTH", config.depth},
      {"FUSED", config.sum == Sum::fused ? 1 : 0},
      {"ACCUMULATORS", config.accumulators},
      {"MULTIPLIER_REGISTERS", config.multiplier_registers},
      {"ADDER_REGISTERS", config.adder_registers},
      {"TREE_REGISTERS", config.tree_registers}};
  values.emplace_back("FRONT", config.is_dense() ? 2 : 1);
  if (config.is_dense()) {
    values.emplace_back("RESTS", config.scheduling == Scheduling::zero_gated ? 1 : 0);
  } else {
    values.emplace_back("SCHEDULER_REGISTERS", config.scheduler_registers);
    values.emplace_back("INTERCONNECT_REGISTERS", config.interconnect_registers);
    values.emplace_back("TWO_SIDED", config.scheduling == Scheduling::two_sided ? 1 : 0);
    values.emplace_back("OPTIONS", static_cast<int>(config.options.size()));
    values.emplace_back("LEVELS", static_cast<int>(config.levels.size()));
  }
  std::vector<std::string> words;
  for (const Size& size : tile_sizes(config)) {
    // Where nothing is left of the tile, Verilator would stop at that, not at the check below.
    words.push_back(
        fmt::format(size.minimum == 1 ? ".{0}({0} < 1 ? 1 : {0})" : ".{0}({0})", size.name));
  }
  for (const auto& [name, value] : values) words.push_back(fmt::format(".{}({})", name, value));
  if (!config.is_dense()) {
    for (const char* name : {"STEP", "OFFSET", "LEVEL"}) {
      words.push_back(fmt::format(".{0}({0})", name));
    }
  }
  return words;
}

const char* kind(const Config& config) {
  if (!config.is_dense()) return "TensorDash";
  return config.scheduling == Scheduling::dense ? "Dense" : "Zero-gated dense";
}

std::string emit_header(const Config& config) {
  const std::string sparse =
      config.is_dense() ? "" : fmt::format(", depth {}, pattern {}", config.depth, config.pattern);
  std::string text = fmt::format(
      "// SPDX-License-Identifier: 0BSD\n"
      "// {} tile of {} lanes, {} operands{}.\n"
      "// Written by TensorDash tdgen {} from configuration {} ({}).\n"
      "`default_nettype none\n\n"
      "module {} #(\n",
      kind(config), config.lanes, to_string(config.format), sparse, kGeneratorVersion, config.name,
      config_hash_text(config), top_name(config));
  const std::vector<Size> sizes = tile_sizes(config);
  for (const Size& size : sizes) {
    text += fmt::format("    parameter {:<13} = {:<3} // {}..{} {}\n", size.name,
                        fmt::format("{}{}", size.value, &size == &sizes.back() ? "" : ","),
                        size.minimum, size.maximum, size.unit);
  }
  return text + ") (\n";
}

/// The highest bit of a port, as Verilog writes it.
std::string high_bit(const Port& port) {
  return port.sizes.empty() ? fmt::format("{}", port.factor - 1) : port.formula() + "-1";
}

/// `[high:0]`, aligned to the right, or nothing for a scalar.
std::string port_range(const Port& port, std::size_t widest) {
  const std::string high = high_bit(port);
  return high == "0" ? "" : fmt::format("[{:>{}}:0]", high, widest);
}

std::string emit_ports(const std::vector<Port>& ports) {
  std::size_t widest = 0;
  for (const Port& port : ports) widest = std::max(widest, high_bit(port).size());
  std::string text;
  for (const Port& port : ports) {
    text += fmt::format(
        "    {} wire {:{}} {}{}\n", port.direction == Direction::input ? "input " : "output",
        port_range(port, widest), widest + 4, port.name, &port == &ports.back() ? "" : ",");
  }
  return text + ");\n";
}

/// Of OFP8: operands as the tile holds them. A dense tile looks at the first row alone.
std::string emit_operands(const Config& config, const char* side, const char* lines) {
  const bool first_alone = config.is_dense() && config.depth > 1;
  const int rows = first_alone ? 1 : config.depth;
  const int row = config.lanes * width(config.format);
  const int stored_row = config.lanes * stored_width(config.format);
  const auto low = [&](const std::string& name, int bits) {
    return first_alone ? fmt::format("{}[0+:{}*{}]", name, bits, lines) : name;
  };
  std::string text = fmt::format(
      "  wire [{0}*{1}-1:0] {2}_rows;\n"
      "  {3}_from_fp8 #(.ROWS({4}), .ELEMENTS({5} * {1})) u_{2}_operands (\n"
      "      .e5m2_i({2}_e5m2_i{6}), .x_i({7}), .y_o({8})\n"
      "  );\n",
      config.depth * row, lines, side, kGeneration, rows, config.lanes, first_alone ? "[0]" : "",
      low(fmt::format("{}_rows_i", side), stored_row), low(fmt::format("{}_rows", side), row));
  if (!first_alone) return text;
  const int left = config.depth - 1;
  return text +
         fmt::format(
             "  assign {0}_rows[{1}*{2}+:{3}*{2}] = {{{3}*{2}{{1'b0}}}};\n"
             "  wire {0}_unused = &{{1'b0, {0}_e5m2_i[{4}:1], {0}_rows_i[{5}*{2}+:{6}*{2}]}};\n",
             side, row, lines, left * row, left, stored_row, left * stored_row);
}

/// Of OFP8: what the tile gives, and what becomes of it.
std::string emit_results() {
  return fmt::format(
      "  wire [32*ROWS*COLUMNS-1:0] sums;\n"
      "  {}_to_fp8 #(.RESULTS(ROWS * COLUMNS)) u_results (\n"
      "      .e5m2_i(out_e5m2_i), .saturate_i(out_saturate_i), .scale_i(out_scale_i), .x_i(sums),\n"
      "      .y_o(out_data_o), .overflow_o(out_overflow_o), .underflow_o(out_underflow_o)\n"
      "  );\n",
      kGeneration);
}

/// What a port of td1_tile is connected to; nothing for a port of the conversions alone.
std::string signal_of(const Config& config, const Port& port) {
  static const std::set<std::string> of_conversions = {
      "a_e5m2_i",    "b_e5m2_i",       "out_e5m2_i",     "out_saturate_i",
      "out_scale_i", "out_overflow_o", "out_underflow_o"};
  if (of_conversions.count(port.name) != 0) return "";
  const bool rows = port.name == "a_rows_i" || port.name == "b_rows_i";
  if (config.format == Format::fp8 && rows) return port.name.substr(0, 6);
  return config.output == Format::fp8 && port.name == "out_data_o" ? "sums" : port.name;
}

std::string emit_tile(const Config& config, const std::vector<Port>& ports) {
  std::vector<std::string> connected;
  for (const Port& port : ports) {
    const std::string signal = signal_of(config, port);
    if (!signal.empty()) connected.push_back(fmt::format(".{}({})", port.name, signal));
  }
  std::string text;
  if (config.format == Format::fp8) {
    text += emit_operands(config, "a", "COLUMNS") + emit_operands(config, "b", "ROWS");
  }
  if (config.output == Format::fp8) text += emit_results();
  return text + fmt::format("  {}_tile #(\n{}\n  ) u_tile (\n{}\n  );\n", kGeneration,
                            wrapped(tile_parameters(config), "      ", ","),
                            wrapped(connected, "      ", ","));
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Instances of modules that do not exist, whose names say what is wrong.
std::string emit_checks(const Config& config) {
  std::string text =
      "\n  // A size out of range stops elaboration here: there are no such modules.\n";
  for (const Size& size : tile_sizes(config)) {
    const std::string legal = size.minimum == size.maximum
                                  ? fmt::format("{}", size.minimum)
                                  : fmt::format("{}_to_{}", size.minimum, size.maximum);
    text += fmt::format(
        "  if ({0} < {1} || {0} > {2}) begin : g_{4}\n"
        "    {0}_must_be_{3} u_refused ();\n"
        "  end\n",
        size.name, size.minimum, size.maximum, legal, lower(size.name));
  }
  return text;
}

}  // namespace

std::string top_name(const Config& config) { return config.name + "_tile"; }

std::string emit_top(const Config& config) {
  const std::vector<Port> ports = tile_ports(config);
  return emit_header(config) + emit_ports(ports) + (config.is_dense() ? "" : emit_tables(config)) +
         emit_tile(config, ports) + emit_checks(config) + "endmodule\n`default_nettype wire\n";
}

}  // namespace td
