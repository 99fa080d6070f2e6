// SPDX-License-Identifier: Apache-2.0
#include "sim/driven/step_rate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/text_table.hpp"

namespace td::sim {

std::string rate_table(const Config& config, const StepRunResult& result) {
  TextTable table;
  for (const char* heading : {"configuration", "operation", "mode"}) {
    table.add_column(heading, TextTable::Align::left);
  }
  for (const char* heading : {"clocks", "kclocks/s", "stepped", "tiles at work", "steps, least",
                              "most", "useful MACs", "million/s"}) {
    table.add_column(heading, TextTable::Align::right);
  }
  for (const StepLine& line : result.lines) {
    for (std::size_t mode = 0; mode < 2; ++mode) {
      const StepCounts& counts = line.modes[mode];
      const auto& steps = counts.model.tile_steps;
      const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
      const auto rate = [&](auto count, double unit) {
        return static_cast<double>(count) / unit / std::max(counts.cpu_seconds, 1e-6);
      };
      table.add_row(
          {config.name, line.operation(), kModeNames[mode], fmt::format("{}", counts.clocks.busy),
           fmt::format("{:.1f}", rate(counts.clocks.busy, 1e3)),
           fmt::format("{}", counts.clocks.stepped),
           fmt::format("{}",
                       steps.end() - steps.begin() - std::count(steps.begin(), steps.end(), 0)),
           fmt::format("{}", *least), fmt::format("{}", *most), fmt::format("{}", line.useful_macs),
           fmt::format("{:.2f}", rate(line.useful_macs, 1e6))});
    }
  }
  return table.text();
}

}  // namespace td::sim
