// SPDX-License-Identifier: Apache-2.0
#include "gen/interconnect.hpp"

#include <fmt/ranges.h>

#include "gen/verilog.hpp"

namespace td {
namespace {

void emit_lane(Module& module, const Config& config, int lane) {
  const int bits = width(config.format);
  std::vector<std::string> terms;
  for (std::size_t p = 0; p < config.places.size(); ++p) {
    const int source = source_lane(lane, config.places[p], config.lanes);
    terms.push_back(fmt::format("({{{}{{select_l{}_i[{}]}}}} & window_{}_i[{}:{}])", bits, lane, p,
                                config.places[p].step, (source + 1) * bits - 1, source * bits));
  }
  module.line("  wire [{}:0] operand_l{} /*verilator public_flat_rd*/ =\n      {};", bits - 1, lane,
              fmt::format("{}", fmt::join(terms, "\n    | ")));
  module.instance("pipe", fmt::format("operand_l{}_pipe", lane),
                  {{"WIDTH", fmt::format("{}", bits)},
                   {"REGISTERS", fmt::format("{}", config.interconnect_registers)}},
                  {{"clk_i", "clk_i"},
                   {"en_i", "en_i"},
                   {"x_i", fmt::format("operand_l{}", lane)},
                   {"y_o", fmt::format("operand_l{}_o", lane)}});
}

}  // namespace

std::string emit_interconnect(const Config& config) {
  Module module(config, "interconnect",
                "Operand interconnect: the multiplexers in front of one side's multiplier inputs.");
  module.input("clk_i", 0, "clock; unused without pipeline registers");
  module.input("en_i", 0, "pipeline registers load");
  for (int row = 0; row < config.depth; ++row) {
    module.input(fmt::format("window_{}_i", row), config.lanes * width(config.format),
                 fmt::format("row {} of the staging buffer, lane 0 in the low bits", row));
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    module.input(fmt::format("select_l{}_i", lane), static_cast<int>(config.places.size()),
                 fmt::format("place that lane {} takes from, one-hot", lane));
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    module.output(fmt::format("operand_l{}_o", lane), width(config.format),
                  fmt::format("operand of multiplier {}", lane));
  }
  for (int row = 1; row < config.depth; ++row) {
    bool reached = false;
    for (Place place : config.places) reached = reached || place.step == row;
    if (reached) continue;
    module.comment(fmt::format("The pattern has no place in row {}.", row));
    module.line("  wire unused_window_{0} = &{{1'b0, window_{0}_i}};", row);
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    module.comment(fmt::format("Lane {}.", lane));
    emit_lane(module, config, lane);
  }
  return module.text();
}

}  // namespace td
