// SPDX-License-Identifier: Apache-2.0
#include "gen/sequencer.hpp"

#include "gen/verilog.hpp"

namespace td {
namespace {

/// A delay line with reset for a bit that means something. Returns the delayed name.
std::string emit_delay(Module& module, const std::string& name, const std::string& from,
                       int clocks) {
  if (clocks == 0) return from;
  module.line("  reg [{}:0] {}_q;", clocks - 1, name);
  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) {}_q <= {}'d0;", name, clocks);
  module.line("    else if (enable_o) {}_q <= {};", name,
              clocks == 1 ? from : fmt::format("{{{}_q[{}:0], {}}}", name, clocks - 2, from));
  module.line("  end");
  return fmt::format("{}_q[{}]", name, clocks - 1);
}

/// A delay line without reset, for values that a valid bit accompanies.
void emit_pipe(Module& module, const std::string& name, int width, const std::string& from,
               const std::string& to, int registers) {
  module.instance(
      "pipe", name + "_pipe",
      {{"WIDTH", fmt::format("{}", width)}, {"REGISTERS", fmt::format("{}", registers)}},
      {{"clk_i", "clk_i"}, {"en_i", "enable_o"}, {"x_i", from}, {"y_o", to}});
}

void emit_turns(Module& module, const Config& config) {
  const int count = config.accumulators;
  module.comment("Whose turn it is, and whether this output has been there before.");
  module.line("  reg held_q;");
  if (count > 1) module.line("  reg [{}:0] turn_q;", count - 1);
  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) begin\n      held_q <= 1'b0;");
  if (count > 1) module.line("      turn_q <= {}'d1;", count);
  module.line("    end else if (enable_o & arrives) begin");
  if (count == 1) {
    module.line("      held_q <= ~arrives_final;");
  } else {
    module.line("      held_q <= ~arrives_final & (held_q | turn_q[{}]);", count - 1);
    module.line("      turn_q <= arrives_final ? {0}'d1 : {{turn_q[{1}:0], turn_q[{2}]}};", count,
                count - 2, count - 1);
  }
  module.line("    end\n  end");
  module.line("  assign fresh_o = ~held_q;");
  module.line("  assign turn_o = {};", count == 1 ? "1'b1" : "turn_q");
}

}  // namespace

std::string emit_sequencer(const Config& config) {
  Module module(config, "sequencer",
                "Sequencer: what follows each step down the pipeline until its output leaves.");
  const int flags = config.rows + config.columns;
  const int count = config.accumulators;
  const int adder = accumulator_registers(config);
  const int merge = tree_levels(count) * (config.adder_registers + config.tree_registers);
  module.input("clk_i", 0, "clock");
  module.input("rst_ni", 0, "asynchronous reset, active low");
  module.input("step_i", 0, "the tile steps");
  module.input("final_i", 0, "... and completes an output");
  module.input("nonfinite_i", flags, "Inf or NaN seen now: columns in the low bits, then rows");
  module.input("out_ready_i", 0, "the output buffer accepts");
  module.output("enable_o", 0, "the pipeline moves");
  module.output("turn_o", count, "accumulator that the arriving sum adds to, one-hot");
  module.output("fresh_o", 0, "... which holds nothing of this output yet");
  module.output("load_o", count, "accumulator that loads, one-hot or none");
  module.output("first_o", 0, "... with the first sum of an output");
  module.output("out_valid_o", 0, "an output is complete");
  module.output("out_nonfinite_o", flags, "its flags: columns in the low bits, then rows");

  module.comment("Everything waits while a complete output finds no room.");
  module.line("  assign enable_o = out_ready_i | ~out_valid_o;");

  module.comment("From the step to the accumulator's adder.");
  const int latency = accumulate_latency(config);
  module.line("  wire arrives;\n  wire arrives_final;");
  module.line("  assign arrives = {};", emit_delay(module, "step", "step_i", latency));
  module.line("  assign arrives_final = {};", emit_delay(module, "final", "final_i", latency));
  emit_turns(module, config);

  module.comment("Through the accumulator's adder.");
  module.line("  wire loads, loads_final;\n  wire [{}:0] loads_turn;", count - 1);
  module.line("  assign loads = {};", emit_delay(module, "load", "arrives", adder));
  module.line("  assign loads_final = {};",
              emit_delay(module, "load_final", "arrives_final", adder));
  emit_pipe(module, "turn", count, "turn_o", "loads_turn", adder);
  emit_pipe(module, "first", 1, count == 1 ? "fresh_o" : "fresh_o & turn_o[0]", "first_o", adder);
  module.line("  assign load_o = {{{}{{loads}}}} & loads_turn;", count);

  module.comment("Out of the accumulators, through the tree that merges them.");
  module.line("  assign out_valid_o = {};",
              emit_delay(module, "complete", "loads & loads_final", 1 + merge));

  module.comment("An Inf or NaN anywhere in the streams of an output goes with it.");
  module.line("  reg [{}:0] nonfinite_q;", flags - 1);
  module.line("  wire [{}:0] nonfinite = nonfinite_q | nonfinite_i;", flags - 1);
  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) nonfinite_q <= {}'d0;", flags);
  module.line("    else if (step_i) nonfinite_q <= final_i ? {}'d0 : nonfinite;", flags);
  module.line("  end");
  emit_pipe(module, "nonfinite", flags, "nonfinite", "out_nonfinite_o",
            latency + adder + 1 + merge);
  return module.text();
}

}  // namespace td
