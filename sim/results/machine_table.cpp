// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/support/text_table.hpp"
#include "sim/results/columns.hpp"
#include "sim/results/result_summary.hpp"
#include "sim/results/result_text.hpp"

namespace td::sim {
namespace {

using Align = TextTable::Align;

std::string quotient(std::int64_t part, std::int64_t whole) {
  return terminal_text(ratio(part, whole), Style::factor);
}

void add_row(TextTable& table, const std::string& name, const MachineUse& machine) {
  const OperationCounts& dense = machine.dense;
  const OperationCounts& sparse = machine.tensordash;
  const MovedBytes& bytes = sparse.levels.off_chip;
  table.add_row({name, fmt::format("{}", dense.clocks), fmt::format("{}", sparse.clocks),
                 quotient(dense.clocks, sparse.clocks),
                 quotient(dense.all_steps(), sparse.all_steps()),
                 quotient(dense.clocks, dense.bound), quotient(sparse.clocks, sparse.bound),
                 fmt::format("{}", bytes.read), fmt::format("{}", bytes.written)});
}

}  // namespace

std::string machine_text(const RunResult& result) {
  TextTable table;
  table.add_column("from memory to memory", Align::left);
  for (const char* heading : {"dense clocks", "TensorDash", "speed-up", "of steps",
                              "over bound: dense", "TensorDash", "bytes read", "written"}) {
    table.add_column(heading, Align::right);
  }
  for (const OpResult& one : result.operations) {
    add_row(table, fmt::format("{}/{}/{}", one.snapshot, one.layer, to_string(one.op)),
            one.machine.value());
  }
  for (const OpResult& sum : totals(result.operations, TotalBy::all)) {
    add_row(table, "total", sum.machine.value());
  }
  table.fit(kTerminalWidth, 0, kLeastLayerWidth);
  return table.text();
}

}  // namespace td::sim
