// SPDX-License-Identifier: Apache-2.0
#include "gen/design/ports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/configuration/parameters.hpp"

namespace td {
namespace {

Size size_of(const Config& config, std::string name, const std::string& path) {
  const Parameter& parameter = *find_parameter(path);
  const bool single = config.scheduling == Scheduling::two_sided && parameter.section == "tile";
  return {std::move(name),       path,          parameter.minimum, single ? 1 : parameter.maximum,
          parameter.get(config), parameter.unit};
}

}  // namespace

std::vector<Size> tile_sizes(const Config& config) {
  return {size_of(config, "ROWS", "tile.rows"), size_of(config, "COLUMNS", "tile.columns"),
          size_of(config, "COUNTER_WIDTH", "tile.counters.width")};
}

int Port::bits(const Config& config) const {
  int product = factor;
  for (const Size& size : tile_sizes(config)) {
    if (std::find(sizes.begin(), sizes.end(), size.name) != sizes.end()) product *= size.value;
  }
  return product;
}

std::string Port::formula() const {
  if (sizes.empty()) return fmt::format("{}", factor);
  const std::string product = fmt::format("{}", fmt::join(sizes, "*"));
  return factor == 1 ? product : fmt::format("{}*{}", factor, product);
}

std::vector<Port> tile_ports(const Config& config) {
  const int count = count_width(config);
  const int offered = config.depth * config.lanes * stored_width(config.format);
  const int depth = config.depth;
  const auto in = Direction::input;
  const auto out = Direction::output;
  std::vector<Port> ports = {
      {in, "clk_i", 1, {}, "clock; everything happens at its rising edge"},
      {in, "rst_ni", 1, {}, "asynchronous reset, active low"},
      {in,
       "dense_i",
       1,
       {},
       "drop nothing; sampled with the first row of a stream of side B, for all that begin in the "
       "clock"},
      {in, "a_valid_i", count, {}, "side A: rows offered, 0..depth"},
      {out, "a_ready_o", count, {}, "side A: rows accepted, at most; the smaller count moves"},
      {in,
       "a_rows_i",
       offered,
       {"COLUMNS"},
       "side A: element (row * columns + column) * lanes + lane"},
      {in, "b_valid_i", count, {}, "side B (scheduled): rows offered, 0..depth"},
      {out, "b_ready_o", count, {}, "side B: rows accepted, at most; the smaller count moves"},
      {in, "b_rows_i", offered, {"ROWS"}, "side B: element (row * rows + tile row) * lanes + lane"},
      {in, "b_last_i", depth, {}, "side B: the row ends its stream"},
      {in, "b_last_of_output_i", depth, {}, "side B: ... and the output (only with b_last_i)"},
      {out, "out_valid_o", 1, {}, "outputs of all PEs are offered"},
      {in, "out_ready_i", 1, {}, "... and accepted in this clock"},
      {out,
       "out_data_o",
       output_width(config),
       {"ROWS", "COLUMNS"},
       "output tile row * columns + column"},
      {out, "out_nonfinite_o", 1, {"ROWS", "COLUMNS"}, "an operand of the output was Inf or NaN"},
      {out, "cycles_o", 1, {"COUNTER_WIDTH"}, "steps since reset"},
      {out,
       "stalls_o",
       1,
       {"COUNTER_WIDTH"},
       "clocks since reset without a step though rows waited"},
      {out,
       "skipped_o",
       1,
       {"COUNTER_WIDTH"},
       "pairs dropped since reset, of the tile rows (each stands for one per column)"},
  };
  const auto add_behind = [&](const char* name, Port port) {
    const auto is_it = [&](const Port& one) { return one.name == name; };
    ports.insert(std::find_if(ports.begin(), ports.end(), is_it) + 1, std::move(port));
  };
  if (config.output == Format::fp8) {
    const std::vector<std::string> each = {"ROWS", "COLUMNS"};
    add_behind("out_data_o",
               {out, "out_underflow_o", 1, each, "a sum that is not zero became zero"});
    add_behind("out_data_o",
               {out, "out_overflow_o", 1, each, "a finite sum was beyond the largest number"});
    add_behind("out_ready_i",
               {in, "out_scale_i", 9, {}, "results are the sums times 2 to this, signed"});
    add_behind("out_ready_i",
               {in, "out_saturate_i", 1, {}, "beyond the largest number: that, not Inf or NaN"});
    add_behind("out_ready_i", {in, "out_e5m2_i", 1, {}, "results are of E5M2, not of E4M3"});
  }
  if (config.format == Format::fp8) {
    add_behind("a_rows_i", {in, "a_e5m2_i", depth, {}, "side A: the row is of E5M2, not of E4M3"});
    add_behind("b_rows_i", {in, "b_e5m2_i", depth, {}, "side B: the row is of E5M2, not of E4M3"});
  }
  return ports;
}

}  // namespace td
