// SPDX-License-Identifier: Apache-2.0
#include "gen/tile.hpp"

#include <fmt/ranges.h>

#include "gen/staging.hpp"

namespace td {
namespace {

using Connections = Module::Connections;

int row_bits(const Config& config) { return config.lanes * width(config.format); }

/// Bits of row `row`, buffer `index` of `buffers`, in a side's port.
std::string offered(const Config& config, const std::string& side, int buffers, int row,
                    int index) {
  const int low = (row * buffers + index) * row_bits(config);
  return fmt::format("{}_rows_i[{}:{}]", side, low + row_bits(config) - 1, low);
}

/// The wire with the operand of one PE's lane. Columns of a TensorDash tile choose for each row
/// apart; those of a dense tile feed every row alike.
std::string a_operand(const Config& config, int row, int column, int lane) {
  return config.is_dense() ? fmt::format("a_c{}_l{}", column, lane)
                           : fmt::format("a_r{}_c{}_l{}", row, column, lane);
}

std::string b_operand(int row, int lane) { return fmt::format("b_r{}_l{}", row, lane); }

void emit_reset(Module& module) {
  module.comment("Reset asserts at once and releases with the clock.");
  module.line("  wire rst_n;");
  module.instance("reset", "reset", {},
                  {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}, {"rst_no", "rst_n"}});
}

/// What a testbench needs to see to count the cycles of one output while ports stall.
void emit_watched(Module& module) {
  for (const char* name : {"step", "final_step"}) {
    module.line("  wire {} /*verilator public_flat_rd*/;", name);
  }
  module.line("  wire waiting;");
}

void emit_intake_instance(Module& module, const Config& config) {
  const int depth = config.depth;
  module.comment("Handshakes, the decision to step, and where the rows of each side move.");
  emit_watched(module);
  module.line("  wire enable, dense{};", depth > 1 ? ", taken_load" : "");
  module.line("  wire [{}:0] eligible, search, advance;", depth - 1);
  Connections ports = {{"clk_i", "clk_i"}, {"rst_ni", "rst_n"}};
  for (const std::string side : {"a", "b"}) {
    for (const char* name : {"_valid_i", "_ready_o"}) {
      ports.emplace_back(side + name, side + name);
    }
    for (const Port& control : staging_controls(config)) {
      const std::string name = fmt::format("{}_{}", side, control.name);
      module.line("  wire {}{};", range(control.width), name);
      ports.emplace_back(name + "_o", name);
    }
  }
  for (const char* name : {"b_last_i", "b_last_of_output_i", "dense_i"}) {
    ports.emplace_back(name, name);
  }
  if (depth > 1) {
    std::vector<std::string> clear;
    for (int row = 0; row < config.rows; ++row) {
      module.line("  wire [{}:0] clear_r{};", depth - 2, row);
      clear.push_back(fmt::format("clear_r{}", row));
    }
    module.line("  // The rows share their columns, so the tile advances by the smallest advance.");
    module.line("  wire [{}:0] clear = {};", depth - 2,
                wrap({fmt::format("{}", fmt::join(clear, " & "))}, 100, ""));
    ports.emplace_back("clear_i", "clear");
    ports.emplace_back("taken_load_o", "taken_load");
  }
  for (const char* name : {"eligible", "search", "dense", "step", "advance", "waiting"}) {
    ports.emplace_back(fmt::format("{}_o", name), name);
  }
  ports.emplace_back("enable_i", "enable");
  ports.emplace_back("final_o", "final_step");
  module.instance("intake", "intake", {}, ports);
}

Connections buffer_connections(const Config& config, const std::string& side, int buffers,
                               int index) {
  Connections ports = {{"clk_i", "clk_i"}};
  for (const Port& control : staging_controls(config)) {
    ports.emplace_back(control.name + "_i", fmt::format("{}_{}", side, control.name));
  }
  ports.emplace_back("eligible_i", "eligible");
  for (int row = 0; row < config.depth; ++row) {
    ports.emplace_back(fmt::format("row_{}_i", row), offered(config, side, buffers, row, index));
  }
  return ports;
}

void emit_column_instance(Module& module, const Config& config, int column) {
  module.comment(fmt::format("Column {}.", column));
  Connections ports = buffer_connections(config, "a", config.columns, column);
  ports.emplace_back("nonfinite_o", fmt::format("nonfinite[{}]", column));
  if (config.scheduling == Scheduling::two_sided) ports.emplace_back("nonzero_o", "a_nonzero");
  for (int row = 0; row < config.depth; ++row) {
    const std::string window = fmt::format("window_c{}_{}", column, row);
    module.line("  wire [{}:0] {};", row_bits(config) - 1, window);
    ports.emplace_back(fmt::format("window_{}_o", row), window);
  }
  module.instance("column", fmt::format("column_{}", column), {}, ports);
}

void emit_row_instance(Module& module, const Config& config, int row) {
  module.comment(fmt::format("Row {}.", row));
  Connections ports = buffer_connections(config, "b", config.rows, row);
  ports.emplace_back("nonfinite_o", fmt::format("nonfinite[{}]", config.columns + row));
  for (const char* name : {"search", "dense"}) ports.emplace_back(fmt::format("{}_i", name), name);
  ports.emplace_back("en_i", "enable");
  if (config.scheduling == Scheduling::two_sided) ports.emplace_back("a_nonzero_i", "a_nonzero");
  if (config.depth > 1) {
    ports.emplace_back("advance_i", fmt::format("advance[{}:0]", config.depth - 2));
    ports.emplace_back("taken_load_i", "taken_load");
    ports.emplace_back("clear_o", fmt::format("clear_r{}", row));
  }
  ports.emplace_back(
      "active_o", fmt::format("active[{}:{}]", (row + 1) * config.lanes - 1, row * config.lanes));
  for (int lane = 0; lane < config.lanes; ++lane) {
    const std::string select = fmt::format("select_r{}_l{}", row, lane);
    module.line("  wire [{}:0] {};", config.places.size() - 1, select);
    ports.emplace_back(fmt::format("select_l{}_o", lane), select);
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    module.line("  wire [{}:0] {};", width(config.format) - 1, b_operand(row, lane));
    ports.emplace_back(fmt::format("operand_l{}_o", lane), b_operand(row, lane));
  }
  module.instance("row", fmt::format("row_{}", row), {}, ports);
}

void emit_interconnect_instance(Module& module, const Config& config, int row, int column) {
  Connections ports = {{"clk_i", "clk_i"}, {"en_i", "enable"}};
  for (int ahead = 0; ahead < config.depth; ++ahead) {
    ports.emplace_back(fmt::format("window_{}_i", ahead),
                       fmt::format("window_c{}_{}", column, ahead));
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    ports.emplace_back(fmt::format("select_l{}_i", lane), fmt::format("select_r{}_l{}", row, lane));
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    const std::string operand = a_operand(config, row, column, lane);
    module.line("  wire [{}:0] {};", width(config.format) - 1, operand);
    ports.emplace_back(fmt::format("operand_l{}_o", lane), operand);
  }
  module.instance("interconnect", fmt::format("interconnect_r{}_c{}", row, column), {}, ports);
}

/// Everything in front of the PEs of a TensorDash tile.
void emit_sparse_front(Module& module, const Config& config) {
  emit_intake_instance(module, config);
  module.line("  wire [{}:0] nonfinite;", config.rows + config.columns - 1);
  module.line("  wire [{}:0] active;", config.rows * config.lanes - 1);
  if (config.scheduling == Scheduling::two_sided) {
    module.line("  wire [{}:0] a_nonzero;", config.depth * config.lanes - 1);
  }
  for (int column = 0; column < config.columns; ++column) {
    emit_column_instance(module, config, column);
  }
  for (int row = 0; row < config.rows; ++row) emit_row_instance(module, config, row);
  module.comment("Side A multiplexers: every PE follows its row's choices in its column's window.");
  for (int row = 0; row < config.rows; ++row) {
    for (int column = 0; column < config.columns; ++column) {
      emit_interconnect_instance(module, config, row, column);
    }
  }
}

void emit_dense_line_instance(Module& module, const Config& config, const std::string& side,
                              int index) {
  const bool is_row = side == "b";
  const int buffers = is_row ? config.rows : config.columns;
  const std::string name = fmt::format("{}_{}", is_row ? "row" : "column", index);
  Connections ports = {
      {"clk_i", "clk_i"},
      {"load_i", side + "_load"},
      {"row_i", offered(config, side, buffers, 0, index)},
      {"nonfinite_o", fmt::format("nonfinite[{}]", is_row ? config.columns + index : index)}};
  for (int lane = 0; lane < config.lanes; ++lane) {
    const std::string operand = is_row ? b_operand(index, lane) : a_operand(config, 0, index, lane);
    module.line("  wire [{}:0] {};", width(config.format) - 1, operand);
    ports.emplace_back(fmt::format("operand_l{}_o", lane), operand);
  }
  module.instance("line", name, {}, ports);
}

/// Everything in front of the PEs of a dense tile.
void emit_dense_front(Module& module, const Config& config) {
  const int a_bits = config.columns * row_bits(config);
  const int b_bits = config.rows * row_bits(config);
  module.comment("Handshakes and the decision to step.");
  emit_watched(module);
  module.line("  wire enable, a_load, b_load;");
  module.line("  wire [{}:0] nonfinite;", config.rows + config.columns - 1);
  Connections intake = {{"clk_i", "clk_i"}, {"rst_ni", "rst_n"}};
  for (const std::string side : {"a", "b"}) {
    for (const char* port : {"_valid_i", "_ready_o"}) intake.emplace_back(side + port, side + port);
    intake.emplace_back(side + "_load_o", side + "_load");
  }
  intake.emplace_back("b_final_i", "b_last_i[0] & b_last_of_output_i[0]");
  intake.emplace_back("enable_i", "enable");
  intake.emplace_back("step_o", "step");
  intake.emplace_back("final_o", "final_step");
  intake.emplace_back("waiting_o", "waiting");
  module.instance("intake", "intake", {}, intake);
  module.line("  // Ports it shares with a TensorDash tile: more rows than one, and the mode.");
  std::vector<std::string> unused = {"1'b0", "dense_i"};
  if (config.depth > 1) {
    unused.push_back(fmt::format("a_rows_i[{}:{}]", config.depth * a_bits - 1, a_bits));
    unused.push_back(fmt::format("b_rows_i[{}:{}]", config.depth * b_bits - 1, b_bits));
    for (const char* flag : {"b_last_i", "b_last_of_output_i"}) {
      unused.push_back(fmt::format("{}[{}:1]", flag, config.depth - 1));
    }
  }
  module.line("  wire unused = &{};", concatenation(unused));
  for (int column = 0; column < config.columns; ++column) {
    emit_dense_line_instance(module, config, "a", column);
  }
  for (int row = 0; row < config.rows; ++row) emit_dense_line_instance(module, config, "b", row);
}

void emit_sequencer_instance(Module& module, const Config& config) {
  module.comment("What follows each step down the pipeline.");
  module.line("  wire complete, out_ready, fresh, first;");
  module.line("  wire [{}:0] turn, load;", config.accumulators - 1);
  module.line("  wire [{}:0] flags;", config.rows + config.columns - 1);
  module.instance("sequencer", "sequencer", {},
                  {{"clk_i", "clk_i"},
                   {"rst_ni", "rst_n"},
                   {"step_i", "step"},
                   {"final_i", "final_step"},
                   {"nonfinite_i", "nonfinite"},
                   {"out_ready_i", "out_ready"},
                   {"enable_o", "enable"},
                   {"turn_o", "turn"},
                   {"fresh_o", "fresh"},
                   {"load_o", "load"},
                   {"first_o", "first"},
                   {"out_valid_o", "complete"},
                   {"out_nonfinite_o", "flags"}});
}

/// One PE and the conversion of its result; returns the wire with its output.
std::string emit_pe_instance(Module& module, const Config& config, int row, int column) {
  Connections ports = {{"clk_i", "clk_i"}, {"en_i", "enable"}};
  for (int lane = 0; lane < config.lanes; ++lane) {
    ports.emplace_back(fmt::format("a_l{}_i", lane), a_operand(config, row, column, lane));
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    ports.emplace_back(fmt::format("b_l{}_i", lane), b_operand(row, lane));
  }
  const std::string result = fmt::format("result_r{}_c{}", row, column);
  for (const char* name : {"turn", "fresh", "load", "first"}) {
    ports.emplace_back(fmt::format("{}_i", name), name);
  }
  ports.emplace_back("result_o", result);
  module.line("  wire [31:0] {};", result);
  module.instance("pe", fmt::format("pe_r{}_c{}", row, column), {}, ports);
  if (config.output == OutputFormat::fp32) return result;

  const std::string rounded = fmt::format("rounded_r{}_c{}", row, column);
  module.line("  wire [15:0] {};", rounded);
  module.instance("to_bf16", fmt::format("to_bf16_r{}_c{}", row, column), {},
                  {{"x_i", result}, {"y_o", rounded}});
  return rounded;
}

/// The PEs and everything behind them.
void emit_back(Module& module, const Config& config) {
  emit_sequencer_instance(module, config);
  module.comment("Processing elements.");
  std::vector<std::string> results;
  std::vector<std::string> flags;
  for (int row = 0; row < config.rows; ++row) {
    for (int column = 0; column < config.columns; ++column) {
      results.insert(results.begin(), emit_pe_instance(module, config, row, column));
      flags.insert(flags.begin(),
                   fmt::format("flags[{}] | flags[{}]", column, config.columns + row));
    }
  }
  const int outputs = config.rows * config.columns;
  module.comment("Outputs, behind a buffer that keeps out_ready_i off the pipeline.");
  module.line("  wire [{}:0] results = {};", outputs * output_width(config) - 1,
              concatenation(results));
  module.line("  wire [{}:0] nonfinite_results = {};", outputs - 1, concatenation(flags));
  module.instance("skid", "output_skid",
                  {{"WIDTH", fmt::format("{}", outputs * (output_width(config) + 1))}},
                  {{"clk_i", "clk_i"},
                   {"rst_ni", "rst_n"},
                   {"in_valid_i", "complete"},
                   {"in_ready_o", "out_ready"},
                   {"in_data_i", "{nonfinite_results, results}"},
                   {"out_valid_o", "out_valid_o"},
                   {"out_ready_i", "out_ready_i"},
                   {"out_data_o", "{out_nonfinite_o, out_data_o}"}});
}

void emit_counters_instance(Module& module, const Config& config) {
  module.comment("Performance counters.");
  Connections ports = {
      {"clk_i", "clk_i"}, {"rst_ni", "rst_n"}, {"step_i", "step"}, {"waiting_i", "waiting"}};
  if (!config.is_dense()) {
    ports.emplace_back("advance_i", "advance");
    ports.emplace_back("active_i", "active");
  }
  for (const char* name : {"cycles_o", "stalls_o", "skipped_o"}) ports.emplace_back(name, name);
  module.instance("counters", "counters", {}, ports);
}

}  // namespace

std::vector<Port> tile_ports(const Config& config) {
  const int count = count_width(config);
  const int a_bits = config.depth * config.columns * row_bits(config);
  const int b_bits = config.depth * config.rows * row_bits(config);
  const int outputs = config.rows * config.columns;
  const auto in = Direction::input;
  const auto out = Direction::output;
  return {
      {in, "clk_i", 0, "clock; everything happens at its rising edge"},
      {in, "rst_ni", 0, "asynchronous reset, active low"},
      {in, "dense_i", 0,
       "drop nothing; sampled with a stream's first row, for all that begin in the clock"},
      {in, "a_valid_i", count, "side A: rows offered, 0..depth"},
      {out, "a_ready_o", count, "side A: rows accepted, at most; the smaller count moves"},
      {in, "a_rows_i", a_bits, "side A: element (row * columns + column) * lanes + lane"},
      {in, "b_valid_i", count, "side B (scheduled): rows offered, 0..depth"},
      {out, "b_ready_o", count, "side B: rows accepted, at most; the smaller count moves"},
      {in, "b_rows_i", b_bits, "side B: element (row * rows + tile row) * lanes + lane"},
      {in, "b_last_i", config.depth, "side B: the row ends its stream"},
      {in, "b_last_of_output_i", config.depth, "side B: ... and the output (only with b_last_i)"},
      {out, "out_valid_o", 0, "outputs of all PEs are offered"},
      {in, "out_ready_i", 0, "... and accepted in this clock"},
      {out, "out_data_o", outputs * output_width(config), "output tile row * columns + column"},
      {out, "out_nonfinite_o", outputs, "an operand of the output was Inf or NaN"},
      {out, "cycles_o", config.counter_width, "steps since reset"},
      {out, "stalls_o", config.counter_width,
       "clocks since reset without a step though rows waited"},
      {out, "skipped_o", config.counter_width,
       "pairs dropped since reset, of the tile rows (each stands for one per column)"},
  };
}

std::string emit_tile(const Config& config) {
  Module module(config, "tile",
                fmt::format("{} tile of {}x{} PEs, {} lanes, {} operands.",
                            config.is_dense() ? "Dense" : "TensorDash", config.rows, config.columns,
                            config.lanes, to_string(config.format)));
  for (Port& port : tile_ports(config)) module.port(std::move(port));
  emit_reset(module);
  if (config.is_dense()) {
    emit_dense_front(module, config);
  } else {
    emit_sparse_front(module, config);
  }
  emit_back(module, config);
  emit_counters_instance(module, config);
  return module.text();
}

}  // namespace td
