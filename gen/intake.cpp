// SPDX-License-Identifier: Apache-2.0
#include "gen/intake.hpp"

#include <fmt/ranges.h>

#include "gen/staging.hpp"
#include "gen/verilog.hpp"

namespace td {
namespace {

/// `{format of depth - 1, ..., format of 0}`.
std::string per_row(int depth, const std::string& format) {
  std::vector<std::string> bits;
  for (int row = depth - 1; row >= 0; --row) bits.push_back(fmt::format(fmt::runtime(format), row));
  return concatenation(bits);
}

/// A row accepted while reset lasts would be lost, so none is until the first clock after it.
void emit_open(Module& module) {
  module.comment("Nothing is accepted in reset, nor before the first clock after it.");
  module.line("  reg open_q;");
  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) open_q <= 1'b0;\n    else open_q <= 1'b1;\n  end");
}

/// The rows that one side holds and is offered; `side` is "a" or "b".
void emit_rows(Module& module, const Config& config, const std::string& side) {
  const int depth = config.depth;
  module.line("  reg [{}:0] {}_present_q;", depth - 1, side);
  module.line("  wire [{0}:0] {1}_held = {{{1}_present_q, 1'b1}} & {{1'b1, ~{1}_present_q}};",
              depth, side);
  module.line("  wire [{}:0] {}_offered = {{{}{{open_q}}}} & {};", depth - 1, side, depth,
              per_row(depth, fmt::format("{}_valid_i > {}'d{{}}", side, count_width(config))));
}

void emit_streams(Module& module, const Config& config) {
  const int depth = config.depth;
  module.comment("Flags of side B's rows, the row in use in bit 0.");
  for (const char* flag : {"last", "last_of_output", "dense"}) {
    module.line("  reg [{}:0] {}_q;", depth - 1, flag);
  }

  module.comment("Rows of the window that belong to the stream in use: up to its last row.");
  std::vector<std::string> eligible;
  for (int row = depth - 1; row >= 1; --row) {
    eligible.push_back(row == 1 ? "~last_q[0]" : fmt::format("~(|last_q[{}:0])", row - 1));
  }
  eligible.emplace_back("1'b1");
  module.line("  assign eligible_o = {};", concatenation(eligible));

  module.comment(
      "A step needs all of these rows on both sides: a window that is only partly filled");
  module.line("  // would make bits and cycles depend on stalls.");
  module.line("  wire [{}:0] present = a_present_q & b_present_q;", depth - 1);
  module.line("  assign step_o = enable_i & ~(|(eligible_o & ~present));");
  module.line("  assign waiting_o = ~step_o & (a_present_q[0] | b_present_q[0]);");
}

void emit_mode_and_advance(Module& module, const Config& config) {
  const int depth = config.depth;
  module.comment("The mode is that of the stream's first row.");
  module.line("  reg start_q;  // the row in use is the first of its stream");
  module.line("  reg mode_q;");
  module.line("  assign dense_o = start_q ? dense_q[0] : mode_q;");
  module.line("  assign search_o = eligible_o & ~{{{}{{dense_o}}}};", depth);

  module.comment("Rows that leave: those of the stream that are empty, and all before them. Row 0");
  module.line("  // is empty after every step: each lane chooses its own element of it first.");
  const std::string empty =
      depth == 1 ? "" : fmt::format(" & {{clear_i & ~{{{}{{dense_o}}}}, 1'b1}}", depth - 1);
  module.line("  wire [{0}:0] leaves = {{{1}{{step_o}}}} & eligible_o{2};", depth - 1, depth,
              empty);
  module.line("  assign advance_o = leaves{};",
              depth == 1 ? "" : fmt::format(" & ~{{1'b0, leaves[{}:1]}}", depth - 1));
  module.line("  wire [{}:0] ends = advance_o & last_q;", depth - 1);
  module.line("  assign final_o = |(ends & last_of_output_q);");
  if (depth > 1) module.line("  assign taken_load_o = step_o | start_q;");

  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) start_q <= 1'b1;\n    else if (step_o) start_q <= |ends;\n  end");
  module.line("  always @(posedge clk_i) if (step_o) mode_q <= dense_o;");
}

/// What the staging buffers of one side do, and the room that this leaves.
void emit_controls(Module& module, const Config& config, const std::string& side) {
  const int depth = config.depth;
  const int bits = count_width(config);
  module.line("  assign {0}_load_o = {{{1}{{step_o}}}} | ~{0}_present_q;", side, depth);
  std::vector<std::string> stay = {
      fmt::format("({0}_held[{1}:0] & {{{2}{{~step_o}}}})", side, depth - 1, depth)};
  for (int rows = 1; rows <= depth; ++rows) {
    const std::string held = fmt::format("{}_held[{}:{}]", side, depth, rows);
    stay.push_back(fmt::format("({} & {{{}{{advance_o[{}]}}}})",
                               rows == 1 ? held : fmt::format("{{{}'d0, {}}}", rows - 1, held),
                               depth, rows - 1));
  }
  module.line("  assign {}_stay_o = {};", side, fmt::format("{}", fmt::join(stay, "\n    | ")));
  for (int place = 0; place + 1 < depth; ++place) {
    module.line("  assign {0}_shift_{1}_o = {0}_present_q[{2}:{3}] & advance_o[{4}:0];", side,
                place, depth - 1, place + 1, depth - 2 - place);
  }
  std::vector<std::string> room;
  for (int rows = 0; rows < depth; ++rows) {
    room.push_back(
        fmt::format("({{{0}{{{1}_stay_o[{2}]}}}} & {0}'d{3})", bits, side, rows, depth - rows));
  }
  module.line("  assign {}_ready_o = {{{}{{open_q}}}} & (\n      {});", side, bits,
              fmt::format("{}", fmt::join(room, "\n    | ")));
}

/// Whether a place holds a row moves with the rows.
void emit_present(Module& module, const Config& config, const std::string& side) {
  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) {}_present_q <= {}'d0;\n    else begin", side, config.depth);
  for (int place = 0; place < config.depth; ++place) {
    std::vector<std::string> terms;
    for (const RowSource& source : row_sources(config, place, side + "_", "_o")) {
      terms.push_back(source.offered
                          ? fmt::format("({} & {}_offered[{}])", source.select, side, source.row)
                          : source.select);
    }
    module.line("      if ({0}_load_o[{1}])\n        {0}_present_q[{1}] <= {2};", side, place,
                fmt::format("{}", fmt::join(terms, "\n          | ")));
  }
  module.line("    end\n  end");
}

/// So do the flags.
void emit_flags(Module& module, const Config& config) {
  module.line("  always @(posedge clk_i) begin");
  for (int place = 0; place < config.depth; ++place) {
    std::vector<std::string> terms;
    for (const RowSource& source : row_sources(config, place, "b_", "_o")) {
      terms.push_back(fmt::format(
          source.offered ? "({{3{{{0}}}}} & {{dense_i, b_last_of_output_i[{1}], b_last_i[{1}]}})"
                         : "({{3{{{0}}}}} & {{dense_q[{1}], last_of_output_q[{1}], last_q[{1}]}})",
          source.select, source.row));
    }
    module.line(
        "    if (b_load_o[{0}])\n      {{dense_q[{0}], last_of_output_q[{0}], last_q[{0}]}} "
        "<=\n          {1};",
        place, fmt::format("{}", fmt::join(terms, "\n        | ")));
  }
  module.line("  end");
}

void declare_intake_ports(Module& module, const Config& config) {
  const int depth = config.depth;
  module.input("clk_i", 0, "clock");
  module.input("rst_ni", 0, "asynchronous reset, active low");
  for (const char* side : {"a", "b"}) {
    module.input(fmt::format("{}_valid_i", side), count_width(config), "rows offered");
    module.output(fmt::format("{}_ready_o", side), count_width(config), "rows accepted, at most");
    for (const Port& control : staging_controls(config)) {
      module.output(fmt::format("{}_{}_o", side, control.name), control.width, control.text);
    }
  }
  module.input("b_last_i", depth, "the row ends its stream");
  module.input("b_last_of_output_i", depth, "... and that stream ends the output");
  module.input("dense_i", 0, "the stream beginning here runs dense");
  if (depth > 1) {
    module.input("clear_i", depth - 1, "bit k: rows 1..k + 1 of every window empty by this step");
  }
  module.input("enable_i", 0, "the pipeline moves");
  module.output("eligible_o", depth, "the row belongs to the stream in use");
  module.output("dense_o", 0, "the stream in use runs dense");
  module.output("search_o", depth, "the schedulers may choose from the row");
  module.output("step_o", 0, "the tile steps");
  module.output("advance_o", depth, "bit k: k + 1 rows leave");
  if (depth > 1) module.output("taken_load_o", 0, "what is taken ahead moves up, or is cleared");
  module.output("final_o", 0, "the step completes an output");
  module.output("waiting_o", 0, "no step though there are rows");
}

}  // namespace

std::string emit_intake(const Config& config) {
  Module module(config, "intake",
                "Intake: row handshakes, stream boundaries, and the decision to step.");
  declare_intake_ports(module, config);
  emit_open(module);
  module.comment(
      "Places that hold a row, their number (one-hot), and the rows offered behind them.");
  for (const char* side : {"a", "b"}) emit_rows(module, config, side);
  emit_streams(module, config);
  emit_mode_and_advance(module, config);
  module.comment(
      "The staging buffers. All places load when the tile steps, so that early in the clock it");
  module.line(
      "  // is clear which; where from is worked out for every advance, which comes out last.");
  for (const char* side : {"a", "b"}) emit_controls(module, config, side);
  module.comment("Rows and their flags move alike. Flags of places without a row mean nothing.");
  for (const char* side : {"a", "b"}) emit_present(module, config, side);
  emit_flags(module, config);
  return module.text();
}

std::string emit_dense_intake(const Config& config) {
  Module module(config, "intake", "Intake of the dense tile: one row of each side at a time.");
  const int count_bits = count_width(config);
  module.input("clk_i", 0, "clock");
  module.input("rst_ni", 0, "asynchronous reset, active low");
  for (const char* side : {"a", "b"}) {
    module.input(fmt::format("{}_valid_i", side), count_bits,
                 "rows offered; only the first can be accepted");
    module.output(fmt::format("{}_ready_o", side), count_bits, "rows accepted, at most one");
    module.output(fmt::format("{}_load_o", side), 0, "the row is used up or there is none");
  }
  module.input("b_final_i", 0, "the row ends the output");
  module.input("enable_i", 0, "the pipeline moves");
  module.output("step_o", 0, "the tile steps");
  module.output("final_o", 0, "the step completes an output");
  module.output("waiting_o", 0, "no step though there is a row");

  emit_open(module);
  module.comment("The rows in use.");
  module.line("  reg a_present_q, b_present_q, b_final_q;");
  module.line("  assign step_o = enable_i & a_present_q & b_present_q;");
  module.line("  assign final_o = step_o & b_final_q;");
  module.line("  assign waiting_o = ~step_o & (a_present_q | b_present_q);");
  for (const char* side : {"a", "b"}) {
    module.line("\n  assign {0}_load_o = step_o | ~{0}_present_q;", side);
    const std::string ready = fmt::format("open_q & {}_load_o", side);
    module.line("  assign {}_ready_o = {};", side,
                count_bits == 1 ? ready : fmt::format("{{{}'d0, {}}}", count_bits - 1, ready));
    module.line("  always @(posedge clk_i or negedge rst_ni) begin");
    module.line("    if (!rst_ni) {}_present_q <= 1'b0;", side);
    module.line("    else if ({0}_load_o) {0}_present_q <= open_q & (|{0}_valid_i);\n  end", side);
  }
  module.line("  always @(posedge clk_i) if (b_load_o) b_final_q <= b_final_i;");
  return module.text();
}

}  // namespace td
