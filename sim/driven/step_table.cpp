// SPDX-License-Identifier: Apache-2.0
#include "sim/driven/step_table.hpp"

#include <fmt/format.h>

#include <array>

#include "base/support/hash.hpp"
#include "base/support/text_table.hpp"

namespace td::sim {

std::string step_table(const StepRunResult& result) {
  TextTable table;
  table.add_column("operation", TextTable::Align::left);
  for (const char* heading :
       {"dense clocks", "TensorDash", "speed-up", "steps", "TensorDash", "speed-up", "tiles used",
        "TensorDash", "model off", "TensorDash", "bytes read", "written", "plan", "TensorDash"}) {
    table.add_column(heading, TextTable::Align::right);
  }
  const auto add_row = [&](const std::string& name, const StepCounts& dense,
                           const StepCounts& sparse, const std::array<std::string, 2>& plans) {
    const auto used = [](const StepCounts& counts) {
      return counts.clocks.spanned == 0 ? "-" : fmt::format("{:.1f} %", 100 * counts.used());
    };
    const auto off = [](const StepCounts& counts) {
      const double clocks = static_cast<double>(counts.clocks.busy);
      return fmt::format("{:+.2f} %",
                         100 * (static_cast<double>(counts.model.clocks) / clocks - 1));
    };
    const auto ratio = [](std::uint64_t a, std::uint64_t b) {
      return b == 0 ? "-" : fmt::format("{:.2f}", static_cast<double>(a) / static_cast<double>(b));
    };
    const ClockCounters &slow = dense.clocks, &fast = sparse.clocks;
    table.add_row({name, fmt::format("{}", slow.busy), fmt::format("{}", fast.busy),
                   ratio(slow.busy, fast.busy), fmt::format("{}", slow.stepped),
                   fmt::format("{}", fast.stepped), ratio(slow.stepped, fast.stepped), used(dense),
                   used(sparse), off(dense), off(sparse), fmt::format("{}", sparse.read),
                   fmt::format("{}", sparse.written), plans[0], plans[1]});
  };
  for (const StepLine& line : result.lines) {
    add_row(line.operation(), line.modes[0], line.modes[1],
            {hash_text(line.plans[0]), hash_text(line.plans[1])});
  }
  add_row("total", result.total(0), result.total(1), {"", ""});
  return table.text();
}

}  // namespace td::sim
