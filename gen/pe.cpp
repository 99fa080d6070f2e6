// SPDX-License-Identifier: Apache-2.0
#include "gen/pe.hpp"

#include "gen/verilog.hpp"

namespace td {
namespace {

using Names = std::vector<std::string>;

std::string pipe(Module& module, const std::string& name, const std::string& from, int registers) {
  module.line("  wire [31:0] {};", name);
  module.instance("pipe", name + "_pipe",
                  {{"WIDTH", "32"}, {"REGISTERS", fmt::format("{}", registers)}},
                  {{"clk_i", "clk_i"}, {"en_i", "en_i"}, {"x_i", from}, {"y_o", name}});
  return name;
}

std::string adder(Module& module, const std::string& name, const std::string& a,
                  const std::string& b, int registers) {
  module.line("  wire [31:0] {};", name);
  module.instance("adder", name + "_adder", {{"REGISTERS", fmt::format("{}", registers)}},
                  {{"clk_i", "clk_i"}, {"en_i", "en_i"}, {"a_i", a}, {"b_i", b}, {"y_o", name}});
  return name;
}

/// A balanced tree, neighbours first; an odd one out passes to the next level as it is. Registers
/// stand in front of every level. Returns the root.
std::string emit_tree(Module& module, const Config& config, const std::string& prefix,
                      Names nodes) {
  for (int level = 1; nodes.size() > 1; ++level) {
    module.comment(fmt::format("{} tree, level {}.", prefix, level));
    Names sums;
    Names inputs;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      inputs.push_back(pipe(module, fmt::format("{}_{}_in{}", prefix, level, i), nodes[i],
                            config.tree_registers));
    }
    for (std::size_t i = 0; i + 1 < inputs.size(); i += 2) {
      sums.push_back(adder(module, fmt::format("{}_{}_{}", prefix, level, i / 2), inputs[i],
                           inputs[i + 1], config.adder_registers));
    }
    if (inputs.size() % 2 == 1) {
      sums.push_back(pipe(module, fmt::format("{}_{}_{}", prefix, level, inputs.size() / 2),
                          inputs.back(), config.adder_registers));
    }
    nodes = std::move(sums);
  }
  return nodes.front();
}

Names emit_products(Module& module, const Config& config) {
  module.comment("Products.");
  Names products;
  for (int lane = 0; lane < config.lanes; ++lane) {
    const std::string name = fmt::format("product_l{}", lane);
    module.line("  wire [31:0] {};", name);
    module.instance("multiplier", fmt::format("multiplier_l{}", lane),
                    {{"REGISTERS", fmt::format("{}", config.multiplier_registers)}},
                    {{"clk_i", "clk_i"},
                     {"en_i", "en_i"},
                     {"a_i", fmt::format("a_l{}_i", lane)},
                     {"b_i", fmt::format("b_l{}_i", lane)},
                     {"y_o", name}});
    products.push_back(name);
  }
  return products;
}

/// The partial accumulators; returns their names.
Names emit_accumulators(Module& module, const Config& config, const std::string& addend) {
  const int count = config.accumulators;
  module.comment("Partial accumulators take the sums in turn; a fresh one starts at +0.");
  Names names;
  std::vector<std::string> terms;
  for (int k = 0; k < count; ++k) {
    module.line("  reg [31:0] accumulator_{}_q;", k);
    names.push_back(fmt::format("accumulator_{}_q", k));
    terms.push_back(fmt::format("({{32{{turn_i[{}] & ~fresh_i}}}} & accumulator_{}_q)", k, k));
  }
  module.line("  wire [31:0] augend = {};", any_of(terms));
  adder(module, "accumulated", "augend", addend, accumulator_registers(config));
  module.line("  always @(posedge clk_i) begin\n    if (en_i) begin");
  for (int k = 0; k < count; ++k) {
    module.line("      if (load_i[{0}]) accumulator_{0}_q <= accumulated;", k);
    if (k > 0) {
      // What the output before left here does not belong to this one.
      module.line("      else if (load_i[0] & first_i) accumulator_{}_q <= 32'd0;", k);
    }
  }
  module.line("    end\n  end");
  if (count == 1) module.line("  wire unused = first_i;  // there is nothing else to clear");
  return names;
}

}  // namespace

std::string emit_pe(const Config& config) {
  Module module(config, "pe", "Processing element: multipliers, adder tree and accumulators.");
  module.input("clk_i", 0, "clock");
  module.input("en_i", 0, "the pipeline moves");
  for (const char* side : {"a", "b"}) {
    for (int lane = 0; lane < config.lanes; ++lane) {
      module.input(fmt::format("{}_l{}_i", side, lane), width(config.format),
                   fmt::format("side {} operand of lane {}", side[0] == 'a' ? 'A' : 'B', lane));
    }
  }
  module.input("turn_i", config.accumulators, "accumulator that the sum adds to, one-hot");
  module.input("fresh_i", 0, "... which holds nothing of this output yet");
  module.input("load_i", config.accumulators, "accumulator that loads, one-hot or none");
  module.input("first_i", 0, "... with the first sum of an output");
  module.output("result_o", 32, "the output, binary32");

  const std::string sum = emit_tree(module, config, "sum", emit_products(module, config));
  module.comment("Accumulation.");
  const std::string addend = pipe(module, "addend", sum, config.tree_registers);
  const Names accumulators = emit_accumulators(module, config, addend);
  module.line("\n  assign result_o = {};", emit_tree(module, config, "merge", accumulators));
  return module.text();
}

}  // namespace td
