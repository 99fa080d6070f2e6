// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/configuration/parameters.hpp"
#include "base/support/version.hpp"
#include "sim/gate/replay/gate_result.hpp"

namespace td::gate_replay {
namespace {

using Json = nlohmann::ordered_json;

Json power_json(const gate::Power& power) {
  return {{"internal", power.internal},
          {"switching", power.switching},
          {"leakage", power.leakage},
          {"total", power.total()}};
}

Json groups_json(const gate::PowerGroups& groups) {
  return {{"sequential", power_json(groups.sequential)},
          {"combinational", power_json(groups.combinational)},
          {"clock_tree", power_json(groups.clock_tree)},
          {"all", power_json(groups.total())}};
}

Json layer_json(const replay::Tally& tally) {
  return {{"snapshot", tally.snapshot},
          {"layer", tally.layer},
          {"side_b_tensor", tally.side_b},
          {"zero_share", tally.zero_share},
          {"passes", tally.passes_done},
          {"dense_rows", tally.dense_cycles},
          {"zero_free_cycles", tally.zero_free_cycles},
          {"cycles", tally.cycles}};
}

Json block_json(const BlockActivity& block, bool has_power) {
  Json object = {{"block", block.block},
                 {"instances", block.instances},
                 {"gates", block.gates},
                 {"toggles_per_clock", block.toggles_per_clock}};
  if (has_power) object["power_uW"] = groups_json(block.power);
  return object;
}

Json energy_json(const GateResult& result, const OpActivity& op) {
  return {{"per_clock", result.energy_pJ(op)},
          {"per_dense_mac", energy_per_pJ(result, op, op.replay.work.dense_macs)},
          {"per_effectual_mac", energy_per_pJ(result, op, op.replay.work.effectual_macs)},
          {"per_multiplied_mac", energy_per_pJ(result, op, op.replay.multiplied_macs)}};
}

Json op_json(const GateResult& result, const OpActivity& op) {
  const replay::Tally total = op.total();
  Json object = {{"op", to_string(op.op)},
                 {"passes", total.passes_done},
                 {"clocks", op.replay.clocks},
                 {"cycles", total.cycles},
                 {"dense_rows", total.dense_cycles},
                 {"zero_free_cycles", total.zero_free_cycles},
                 {"outputs_compared", total.outputs},
                 {"mismatches", total.mismatches},
                 {"dense_macs", op.replay.work.dense_macs},
                 {"effectual_macs", op.replay.work.effectual_macs},
                 {"multiplied_macs", op.replay.multiplied_macs},
                 {"toggles_per_clock", op.toggles_per_clock()}};
  if (result.has_power()) {
    object["power_uW"] = groups_json(op.power());
    object["energy_pJ"] = energy_json(result, op);
  }
  object["blocks"] = Json::array();
  for (const BlockActivity& block : op.blocks) {
    object["blocks"].push_back(block_json(block, result.has_power()));
  }
  object["layers"] = Json::array();
  for (const replay::Tally& tally : op.replay.tallies) {
    if (tally.passes_done > 0) object["layers"].push_back(layer_json(tally));
  }
  return object;
}

Json configuration_json(const GateResult& result) {
  const Config& config = result.config;
  const auto scheduling = static_cast<std::size_t>(config.scheduling);
  return {{"name", config.name},
          {"hash", config_hash_text(config)},
          {"lanes", config.lanes},
          {"rows", config.rows},
          {"columns", config.columns},
          {"scheduling", find_parameter("tile.scheduling")->choices[scheduling]},
          {"dense_mode", result.dense_mode}};
}

/// What the figures of power rest on.
Json conditions_json(const GateResult& result) {
  return {{"clock_ns", result.power.clock_ns},
          {"wire_pF_per_fanout", result.power.wire_pF_per_fanout},
          {"clock_buffer", result.power.clock_buffer},
          {"clock_buffer_fanout", result.power.clock_buffer_fanout},
          {"slews", result.slews},
          {"loads", result.loads},
          {"slew_ns", result.slew_ns}};
}

}  // namespace

/// Members, in this order; those marked * stand there only if a clock was given:
///   format          "tensordash-gate-2"
///   program         name and version
///   configuration   name, hash, lanes, rows, columns, scheduling, dense_mode
///   library         name, path, corner, voltage_V
///   netlist         files, gates, nets
///   trace           path, identity, conversion, seed of the draw
///   conditions *    clock_ns, wire_pF_per_fanout, clock_buffer, clock_buffer_fanout, slews (file),
///                   slew_ns (of pins that the file does not name)
///   ops             for each operation, sums over 64 copies of the tile:
///     op, passes, clocks (counted: cycles, and one output latency for each copy), cycles (steps),
///     dense_rows (cycles of a dense tile), outputs_compared, mismatches,
///     dense_macs (all pairs), effectual_macs (both operands not zero), multiplied_macs (pairs that
///     lanes multiplied, padding included), toggles_per_clock (of one tile's nets)
///     power_uW *    sequential, combinational, clock_tree, all; each internal, switching, leakage
///                   and total; of one tile
///     energy_pJ *   of one tile: per_clock; of the counted clocks: per_dense_mac,
///                   per_effectual_mac, per_multiplied_mac
///     blocks        for each block, all instances together: block, instances, gates,
///                   toggles_per_clock, power_uW * (placed, without the buffers taken out);
///                   blocks inside others are not part of them
///     layers        what was drawn: snapshot, layer, scheduled (operand), zero_share (of it),
///                   passes, dense_rows, cycles
std::string gate_json(const GateResult& result) {
  Json root;
  root["format"] = "tensordash-gate-2";
  root["program"] = fmt::format("tdgate {}", kGeneratorVersion);
  root["configuration"] = configuration_json(result);
  root["library"] = {{"name", result.library_name},
                     {"path", result.library_path},
                     {"corner", result.library_corner},
                     {"voltage_V", result.voltage_V}};
  root["netlist"] = {
      {"files", result.netlist_files}, {"gates", result.gates}, {"nets", result.nets}};
  root["trace"] = {{"path", result.trace_path},
                   {"identity", result.trace_identity},
                   {"conversion", result.trace_conversion},
                   {"seed", result.seed}};
  if (result.has_power()) root["conditions"] = conditions_json(result);
  root["ops"] = Json::array();
  for (const OpActivity& op : result.ops) root["ops"].push_back(op_json(result, op));
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace td::gate_replay
