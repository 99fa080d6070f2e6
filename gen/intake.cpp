// SPDX-License-Identifier: Apache-2.0
#include "gen/intake.hpp"

#include "gen/verilog.hpp"

namespace td {
namespace {

/// What the intake of one side needs to say about its counts; `side` is "a" or "b".
void emit_side_declarations(Module& module, const Config& config, const std::string& side) {
  const int rows = queue_rows(config);
  const int bits = tree_levels(rows + 1);
  module.line("  reg [{}:0] {}_ready_q;", count_width(config) - 1, side);
  module.line("  reg [{}:0] {}_occupancy_q;", bits - 1, side);
  module.line(
      "  wire [{0}:0] {1}_accepted = ({1}_valid_i < {1}_ready_q) ? {1}_valid_i : {1}_ready_q;",
      count_width(config) - 1, side);
  const int pad = bits - count_width(config);
  const std::string accepted = pad == 0 ? fmt::format("{}_accepted", side)
                                        : fmt::format("{{{}'d0, {}_accepted}}", pad, side);
  module.line("  wire [{0}:0] {1}_held = {1}_occupancy_q + {2};", bits - 1, side, accepted);
}

std::string per_row(int depth, const std::string& format) {
  std::vector<std::string> bits;
  for (int row = depth - 1; row >= 0; --row) bits.push_back(fmt::format(fmt::runtime(format), row));
  return concatenation(bits);
}

void emit_streams(Module& module, const Config& config) {
  const int depth = config.depth;
  const int rows = queue_rows(config);
  const int bits = tree_levels(rows + 1);
  const int count_bits = count_width(config);
  module.comment(
      "Flags of side B's rows, the row in use in bit 0. Places without a row hold zero.");
  for (const char* flag : {"last", "last_of_output", "dense"}) {
    module.line("  reg [{}:0] {}_q;", rows - 1, flag);
  }
  module.line("  wire [{}:0] arrives = {};", depth - 1,
              per_row(depth, fmt::format("b_accepted > {}'d{{}}", count_bits)));
  const auto append = [&](const char* flag, const std::string& arriving) {
    module.line("  wire [{0}:0] {1}_held = {1}_q | ({{{2}'d0, arrives & {3}}} << b_occupancy_q);",
                rows - 1, flag, rows - depth, arriving);
  };
  append("last", "b_last_i");
  append("last_of_output", "b_last_i & b_last_of_output_i");
  append("dense", fmt::format("{{{}{{dense_i}}}}", depth));

  module.comment("Rows of the window that belong to the stream in use: up to its last row.");
  std::vector<std::string> eligible;
  for (int row = depth - 1; row >= 1; --row) {
    eligible.push_back(row == 1 ? "~last_q[0]" : fmt::format("~(|last_q[{}:0])", row - 1));
  }
  eligible.push_back("1'b1");
  module.line("  assign eligible_o = {};", concatenation(eligible));

  module.comment(
      "A step needs all of these rows on both sides: a window that is only partly filled");
  module.line("  // would make bits and cycles depend on stalls.");
  module.line(
      "  wire [{}:0] present = {};", depth - 1,
      per_row(depth,
              fmt::format("(a_occupancy_q > {0}'d{{0}}) & (b_occupancy_q > {0}'d{{0}})", bits)));
  module.line("  assign step_o = enable_i & ~(|(eligible_o & ~present));");
  module.line("  assign waiting_o = ~step_o & ((|a_occupancy_q) | (|b_occupancy_q));");
}

void emit_mode_and_advance(Module& module, const Config& config) {
  const int depth = config.depth;
  module.comment("The mode is that of the stream's first row.");
  module.line("  reg start_q;  // the row in use is the first of its stream");
  module.line("  reg mode_q;");
  module.line("  assign dense_o = start_q ? dense_q[0] : mode_q;");

  module.comment("Rows that leave: those of the stream that are empty, and all before them.");
  const std::string own_row_only =
      depth == 1 ? "" : fmt::format(" & {{{{{}{{~dense_o}}}}, 1'b1}}", depth - 1);
  module.line("  wire [{0}:0] leaves = {{{1}{{step_o}}}} & eligible_o & clear_i{2};", depth - 1,
              depth, own_row_only);
  std::vector<std::string> advance;
  advance.push_back(fmt::format("leaves[{}]", depth - 1));
  for (int rows = depth - 1; rows >= 1; --rows) {
    advance.push_back(fmt::format("leaves[{}] & ~leaves[{}]", rows - 1, rows));
  }
  advance.push_back("~leaves[0]");
  module.line("  assign advance_o = {};", concatenation(advance));
  module.line("  wire [{0}:0] ends = advance_o[{1}:1] & last_q[{0}:0];", depth - 1, depth);
  module.line("  assign final_o = |(ends & last_of_output_q[{}:0]);", depth - 1);
}

/// Room behind the rows that stay, at most a full handshake. The difference is taken only where it
/// is below the depth, so it is right modulo the width of the count.
void emit_ready(Module& module, const Config& config, const std::string& side, int advance) {
  const int depth = config.depth;
  const int bits = tree_levels(queue_rows(config) + 1);
  const int count_bits = count_width(config);
  if (advance == depth) {
    module.line("          {}_ready_q <= {}'d{};", side, count_bits, depth);
    return;
  }
  const int capacity = (queue_rows(config) + advance) % (1 << count_bits);
  module.line(
      "          {0}_ready_q <= ({0}_held > {1}'d{2}) ? {3}'d{4} - {0}_held[{5}:0] : {3}'d{6};",
      side, bits, depth + advance, count_bits, capacity, count_bits - 1, depth);
}

void emit_state(Module& module, const Config& config) {
  const int depth = config.depth;
  const int rows = queue_rows(config);
  const int bits = tree_levels(rows + 1);
  const int count_bits = count_width(config);
  module.comment(
      "Next state: worked out for every advance, chosen by the one that came out last, so");
  module.line(
      "  // that ready adds one multiplexer, not an adder, to the path through the schedulers.");
  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) begin");
  for (const char* side : {"a", "b"}) {
    module.line("      {}_ready_q <= {}'d0;\n      {}_occupancy_q <= {}'d0;", side, count_bits,
                side, bits);
  }
  for (const char* flag : {"last", "last_of_output", "dense"}) {
    module.line("      {}_q <= {}'d0;", flag, rows);
  }
  module.line("      start_q <= 1'b1;\n      mode_q <= 1'b0;\n    end else begin");
  module.line(
      "      if (step_o) begin\n        start_q <= |ends;\n        mode_q <= dense_o;\n      end");
  module.line("      (* parallel_case *)\n      case (1'b1)");
  for (int advance = 0; advance <= depth; ++advance) {
    module.line("        {}: begin",
                advance == depth ? "default" : fmt::format("advance_o[{}]", advance));
    for (const char* side : {"a", "b"}) {
      module.line("          {0}_occupancy_q <= {0}_held - {1}'d{2};", side, bits, advance);
      emit_ready(module, config, side, advance);
    }
    for (const char* flag : {"last", "last_of_output", "dense"}) {
      module.line("          {0}_q <= {0}_held{1};", flag,
                  advance == 0 ? "" : fmt::format(" >> {}", advance));
    }
    module.line("        end");
  }
  module.line("      endcase\n    end\n  end");
}

}  // namespace

std::string emit_intake(const Config& config) {
  Module module(config, "intake",
                "Intake: row handshakes, stream boundaries, and the decision to step.");
  const int depth = config.depth;
  const int bits = tree_levels(queue_rows(config) + 1);
  const int count_bits = count_width(config);
  module.input("clk_i", 0, "clock");
  module.input("rst_ni", 0, "asynchronous reset, active low");
  for (const char* side : {"a", "b"}) {
    module.input(fmt::format("{}_valid_i", side), count_bits, "rows offered");
    module.output(fmt::format("{}_ready_o", side), count_bits, "rows accepted, at most");
    module.output(fmt::format("{}_occupancy_o", side), bits, "rows held");
  }
  module.input("b_last_i", depth, "the row ends its stream");
  module.input("b_last_of_output_i", depth, "... and that stream ends the output");
  module.input("dense_i", 0, "the stream beginning here runs dense");
  module.input("clear_i", depth, "bit k: rows 0..k of every window are empty after this step");
  module.input("enable_i", 0, "the pipeline moves");
  module.output("eligible_o", depth, "the row belongs to the stream in use");
  module.output("dense_o", 0, "the stream in use runs dense");
  module.output("step_o", 0, "the tile steps");
  module.output("advance_o", depth + 1, "rows that leave, one-hot");
  module.output("final_o", 0, "the step completes an output");
  module.output("waiting_o", 0, "no step though there are rows");

  module.comment(
      "Rows held: what is there and what arrives. The smaller count of a handshake moves.");
  for (const char* side : {"a", "b"}) {
    emit_side_declarations(module, config, side);
    module.line("  assign {0}_ready_o = {0}_ready_q;\n  assign {0}_occupancy_o = {0}_occupancy_q;",
                side);
  }
  emit_streams(module, config);
  emit_mode_and_advance(module, config);
  emit_state(module, config);
  return module.text();
}

std::string emit_dense_intake(const Config& config) {
  Module module(config, "intake", "Intake of the dense tile: one row of each side at a time.");
  const int count_bits = count_width(config);
  const int a_bits = config.columns * config.lanes * width(config.format);
  const int b_bits = config.rows * config.lanes * width(config.format);
  module.input("clk_i", 0, "clock");
  module.input("rst_ni", 0, "asynchronous reset, active low");
  module.input("a_valid_i", count_bits, "rows offered; only the first can be accepted");
  module.output("a_ready_o", count_bits, "rows accepted, at most one");
  module.input("a_row_i", a_bits, "first offered row");
  module.input("b_valid_i", count_bits, "rows offered; only the first can be accepted");
  module.output("b_ready_o", count_bits, "rows accepted, at most one");
  module.input("b_row_i", b_bits, "first offered row");
  module.input("b_final_i", 0, "the row ends the output");
  module.input("enable_i", 0, "the pipeline moves");
  module.output("a_row_o", a_bits, "the row in use");
  module.output("b_row_o", b_bits, "the row in use");
  module.output("step_o", 0, "the tile steps");
  module.output("final_o", 0, "the step completes an output");
  module.output("waiting_o", 0, "no step though there is a row");

  module.line("  wire a_ready, b_ready, a_valid, b_valid, b_final;");
  const auto skid = [&](const std::string& side, int bits, const std::string& in,
                        const std::string& out) {
    module.instance("skid", side + "_skid", {{"WIDTH", fmt::format("{}", bits)}},
                    {{"clk_i", "clk_i"},
                     {"rst_ni", "rst_ni"},
                     {"in_valid_i", fmt::format("|{}_valid_i", side)},
                     {"in_ready_o", side + "_ready"},
                     {"in_data_i", in},
                     {"out_valid_o", side + "_valid"},
                     {"out_ready_i", "step_o"},
                     {"out_data_o", out}});
  };
  skid("a", a_bits, "a_row_i", "a_row_o");
  skid("b", b_bits + 1, "{b_final_i, b_row_i}", "{b_final, b_row_o}");
  for (const char* side : {"a", "b"}) {
    module.line("  assign {}_ready_o = {};", side,
                count_bits == 1 ? fmt::format("{}_ready", side)
                                : fmt::format("{{{}'d0, {}_ready}}", count_bits - 1, side));
  }
  module.line("  assign step_o = enable_i & a_valid & b_valid;");
  module.line("  assign final_o = step_o & b_final;");
  module.line("  assign waiting_o = ~step_o & (a_valid | b_valid);");
  return module.text();
}

}  // namespace td
