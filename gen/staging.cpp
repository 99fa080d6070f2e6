// SPDX-License-Identifier: Apache-2.0
#include "gen/staging.hpp"

#include <fmt/ranges.h>

namespace td {

std::vector<Port> staging_controls(const Config& config) {
  const int depth = config.depth;
  std::vector<Port> controls = {
      {Direction::input, "load", depth, "bit p: place p loads"},
      {Direction::input, "stay", depth, "bit m: m rows stay, and offered rows go behind them"}};
  for (int place = 0; place + 1 < depth; ++place) {
    controls.push_back({Direction::input, fmt::format("shift_{}", place), depth - 1 - place,
                        fmt::format("bit k: place {} takes the row {} + k", place, place + 1)});
  }
  return controls;
}

std::vector<RowSource> row_sources(const Config& config, int place, const std::string& prefix,
                                   const std::string& suffix) {
  std::vector<RowSource> sources;
  for (int from = place + 1; from < config.depth; ++from) {
    sources.push_back(
        {fmt::format("{}shift_{}{}[{}]", prefix, place, suffix, from - place - 1), false, from});
  }
  for (int row = 0; row <= place; ++row) {
    sources.push_back({fmt::format("{}stay{}[{}]", prefix, suffix, place - row), true, row});
  }
  return sources;
}

std::string emit_staging(const Config& config) {
  Module module(config, "staging", fmt::format("Staging buffer of {} rows.", config.depth));
  const int row_bits = config.lanes * width(config.format);
  module.input("clk_i", 0, "clock");
  for (const Port& control : staging_controls(config)) {
    module.input(control.name + "_i", control.width, control.text);
  }
  for (int row = 0; row < config.depth; ++row) {
    module.input(fmt::format("row_{}_i", row), row_bits, fmt::format("offered row {}", row));
  }
  for (int row = 0; row < config.depth; ++row) {
    module.output(
        fmt::format("window_{}_o", row), row_bits,
        fmt::format("row {}: {}", row, row == 0 ? "the row in use" : fmt::format("{} ahead", row)));
  }
  for (int place = 0; place < config.depth; ++place) {
    module.line("  reg [{}:0] row_{}_q;", row_bits - 1, place);
  }
  module.comment("A free place takes what stands on the port, row or not: nobody looks at it.");
  module.line("  always @(posedge clk_i) begin");
  for (int place = 0; place < config.depth; ++place) {
    std::vector<std::string> terms;
    for (const RowSource& source : row_sources(config, place, "", "_i")) {
      terms.push_back(fmt::format("({{{}{{{}}}}} & row_{}_{})", row_bits, source.select, source.row,
                                  source.offered ? "i" : "q"));
    }
    module.line("    if (load_i[{0}])\n      row_{0}_q <= {1};", place,
                fmt::format("{}", fmt::join(terms, "\n                | ")));
  }
  module.line("  end\n");
  for (int row = 0; row < config.depth; ++row) {
    module.line("  assign window_{0}_o = row_{0}_q;", row);
  }
  return module.text();
}

}  // namespace td
