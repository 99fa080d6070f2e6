// SPDX-License-Identifier: Apache-2.0
#include "gen/counters.hpp"

#include "gen/verilog.hpp"

namespace td {
namespace {

/// One counter that adds `increment`, a signal of `bits` bits.
void emit_counter(Module& module, const Config& config, const std::string& name,
                  const std::string& increment, int bits) {
  const int width = config.counter_width;
  const std::string port = name + "_o";
  module.line("  reg [{}:0] {}_q;", width - 1, name);
  module.line("  assign {} = {}_q;", port, name);
  std::string next;
  if (config.counter_wrap != 0) {
    const std::string low = bits > width    ? fmt::format("{}[{}:0]", increment, width - 1)
                            : bits == width ? increment
                                            : fmt::format("{{{}'d0, {}}}", width - bits, increment);
    next = fmt::format("{}_q + {}", name, low);
    if (bits > width) {
      module.line("  wire unused_{} = &{{1'b0, {}[{}:{}]}};", name, increment, bits - 1, width);
    }
  } else {
    const int sum = std::max(width, bits) + 1;
    module.line("  wire [{0}:0] {1}_sum = {{{2}'d0, {1}_q}} + {{{3}'d0, {4}}};", sum - 1, name,
                sum - width, sum - bits, increment);
    next = fmt::format("(|{0}_sum[{1}:{2}]) ? {{{2}{{1'b1}}}} : {0}_sum[{3}:0]", name, sum - 1,
                       width, width - 1);
  }
  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) {}_q <= {}'d0;\n    else {}_q <= {};\n  end\n", name, width, name,
              next);
}

/// Declares skipping_q: pairs that left in a clock less those that were multiplied in it. Which
/// lanes have a pair comes out of the schedulers late: it is counted a clock after.
int emit_skipped(Module& module, const Config& config) {
  const int lanes = config.rows * config.lanes;
  const int bits = tree_levels(config.depth * lanes + 1);
  module.comment("Multipliers of the first column that had a pair.");
  module.line("  function automatic [{}:0] ones;", bits - 1);
  module.line("    input [{}:0] bits;\n    integer i;\n    begin", lanes - 1);
  module.line("      ones = {}'d0;", bits);
  module.line("      for (i = 0; i < {}; i = i + 1) ones = ones + {{{}'d0, bits[i]}};", lanes,
              bits - 1);
  module.line("    end\n  endfunction");
  std::vector<std::string> left;
  for (int rows = 1; rows <= config.depth; ++rows) {
    left.push_back(
        fmt::format("({{{}{{advance_q[{}]}}}} & {}'d{})", bits, rows - 1, bits, rows * lanes));
  }
  module.line("  reg [{}:0] advance_q;\n  reg [{}:0] active_q;\n  reg [{}:0] skipping_q;",
              config.depth - 1, lanes - 1, bits - 1);
  module.line("  always @(posedge clk_i) {{advance_q, active_q}} <= {{advance_i, active_i}};");
  module.line("  wire [{}:0] left = {};", bits - 1, any_of(left));
  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) skipping_q <= {}'d0;", bits);
  module.line("    else skipping_q <= step_q ? left - ones(active_q) : {}'d0;\n  end\n", bits);
  return bits;
}

}  // namespace

std::string emit_counters(const Config& config) {
  Module module(config, "counters", "Performance counters.");
  module.input("clk_i", 0, "clock");
  module.input("rst_ni", 0, "asynchronous reset, active low");
  module.input("step_i", 0, "the tile steps");
  module.input("waiting_i", 0, "it does not, though something waits");
  if (!config.is_dense()) {
    module.input("advance_i", config.depth, "bit k: k + 1 rows leave");
    module.input("active_i", config.rows * config.lanes, "lanes with a pair, of every tile row");
  }
  module.output("cycles_o", config.counter_width, "steps");
  module.output("stalls_o", config.counter_width, "clocks waited");
  module.output("skipped_o", config.counter_width, "pairs dropped");

  module.line("  reg step_q, waiting_q;");
  module.line("  always @(posedge clk_i or negedge rst_ni) begin");
  module.line("    if (!rst_ni) {{step_q, waiting_q}} <= 2'b00;");
  module.line("    else {{step_q, waiting_q}} <= {{step_i, waiting_i}};\n  end\n");
  emit_counter(module, config, "cycles", "step_q", 1);
  emit_counter(module, config, "stalls", "waiting_q", 1);
  if (config.is_dense()) {
    module.line("  assign skipped_o = {}'d0;", config.counter_width);
  } else {
    const int bits = emit_skipped(module, config);
    emit_counter(module, config, "skipped", "skipping_q", bits);
  }
  return module.text();
}

}  // namespace td
