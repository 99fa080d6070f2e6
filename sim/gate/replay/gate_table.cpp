// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/support/text_table.hpp"
#include "sim/gate/replay/gate_result.hpp"

namespace td::gate_replay {
namespace {

using Align = TextTable::Align;

std::string heading_text(const GateResult& result) {
  std::string text = fmt::format(
      "configuration {} ({}){}, {} gates\nlibrary {} ({}), {}\noperands {}, identity {}{}{}\n",
      result.config.name, config_hash_text(result.config), result.dense_mode ? ", dense mode" : "",
      result.gates, result.library_name, result.library_path, result.library_corner,
      result.trace_path, result.trace_identity, result.trace_conversion.empty() ? "" : ", ",
      result.trace_conversion);
  if (!result.has_power()) return text;
  return text +
         fmt::format("pre-layout, zero delay: clock {} ns, {} pF of wire a fan-out, {}\n",
                     result.power.clock_ns, result.power.wire_pF_per_fanout,
                     result.power.clock_buffer.empty()
                         ? "no clock tree"
                         : fmt::format("clock tree of {}, fan-out {}", result.power.clock_buffer,
                                       result.power.clock_buffer_fanout));
}

std::string replay_text(const GateResult& result) {
  TextTable table;
  table.add_column("op", Align::left);
  for (const char* heading : {"passes", "clocks", "cycles", "dense rows", "outputs", "mismatches",
                              "multiplied MACs", "effectual MACs", "toggles/clock"}) {
    table.add_column(heading, Align::right);
  }
  for (const OpActivity& op : result.ops) {
    const replay::Tally total = op.total();
    table.add_row({to_string(op.op), fmt::format("{}", total.passes_done),
                   fmt::format("{}", op.replay.clocks), fmt::format("{}", total.cycles),
                   fmt::format("{}", total.dense_cycles), fmt::format("{}", total.outputs),
                   fmt::format("{}", total.mismatches),
                   fmt::format("{}", op.replay.multiplied_macs),
                   fmt::format("{}", op.replay.work.effectual_macs),
                   fmt::format("{:.0f}", op.toggles_per_clock())});
  }
  return table.text();
}

std::string power_text(const GateResult& result) {
  TextTable table;
  table.add_column("op", Align::left);
  table.add_column("power, µW", Align::left);
  for (const char* heading : {"internal", "switching", "leakage", "total", "pJ/clock",
                              "pJ/dense MAC", "pJ/effectual MAC"}) {
    table.add_column(heading, Align::right);
  }
  for (const OpActivity& op : result.ops) {
    const gate::PowerGroups groups = op.power();
    const auto row = [&](const char* name, const gate::Power& power, bool all) {
      const auto energy = [&](double pJ) {
        return all ? fmt::format("{:.3f}", pJ) : std::string();
      };
      table.add_row({to_string(op.op), name, fmt::format("{:.0f}", power.internal),
                     fmt::format("{:.0f}", power.switching), fmt::format("{:.1f}", power.leakage),
                     fmt::format("{:.0f}", power.total()), energy(result.energy_pJ(op)),
                     energy(energy_per_pJ(result, op, op.replay.work.dense_macs)),
                     energy(energy_per_pJ(result, op, op.replay.work.effectual_macs))});
    };
    row("sequential", groups.sequential, false);
    row("combinational", groups.combinational, false);
    row("clock tree", groups.clock_tree, false);
    row("all", groups.total(), true);
  }
  return table.text();
}

/// The blocks are the same in all operations.
std::string blocks_text(const GateResult& result) {
  TextTable table;
  table.add_column("block", Align::left);
  table.add_column("instances", Align::right);
  table.add_column("gates", Align::right);
  for (const OpActivity& op : result.ops) {
    table.add_column(
        fmt::format("{} {}", to_string(op.op), result.has_power() ? "µW" : "toggles/clock"),
        Align::right);
    table.add_column("%", Align::right);
  }
  for (std::size_t i = 0; i < result.ops.front().blocks.size(); ++i) {
    const BlockActivity& block = result.ops.front().blocks[i];
    std::vector<std::string> cells = {block.block, fmt::format("{}", block.instances),
                                      fmt::format("{}", block.gates)};
    for (const OpActivity& op : result.ops) {
      const double all = result.has_power() ? op.power().total().total() : op.toggles_per_clock();
      const double own =
          result.has_power() ? op.blocks[i].power.total().total() : op.blocks[i].toggles_per_clock;
      cells.push_back(fmt::format("{:.0f}", own));
      cells.push_back(fmt::format("{:.1f}", all > 0 ? 100 * own / all : 0));
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

}  // namespace

std::string gate_table(const GateResult& result) {
  std::string text = heading_text(result) + '\n' + replay_text(result) + '\n';
  if (result.has_power()) text += power_text(result) + '\n';
  return text + blocks_text(result);
}

}  // namespace td::gate_replay
