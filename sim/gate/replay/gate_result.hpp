// SPDX-License-Identifier: Apache-2.0
// What tdgate found, and how it is written down.
#pragma once

#include <string>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/replay/block_activity.hpp"
#include "sim/gate/replay/gate_replay.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/trace/trace.hpp"

namespace td::gate_replay {

/// One operation's passes.
struct OpActivity {
  sim::Op op;
  Replay replay;
  std::vector<BlockActivity> blocks;

  /// Passes, cycles, dense rows, outputs and mismatches of all layers.
  replay::Tally total() const;
  gate::PowerGroups power() const;  ///< µW
  double toggles_per_clock() const;
};

struct GateResult {
  Config config;
  bool dense_mode = false;
  std::uint64_t seed = 1;
  std::vector<std::string> netlist_files;
  std::int64_t gates = 0;
  std::int64_t nets = 0;
  std::string library_name;
  std::string library_path;
  std::string library_corner;
  double voltage_V = 0;
  std::string trace_path;
  std::string trace_identity;
  std::string trace_conversion;  ///< see sim::Trace::conversion_text()
  gate::PowerOptions power;      ///< clock_ns is 0 where no power was asked for
  std::string slews;             ///< file; empty: none
  std::string loads;             ///< likewise
  double slew_ns = 0;            ///< of pins that the file does not name
  std::vector<OpActivity> ops;

  bool has_power() const { return power.clock_ns > 0; }
  /// Of one clock of the tile.
  double energy_pJ(const OpActivity& op) const;
};

/// The energy of all counted clocks, divided by `events`; 0 where there are none.
double energy_per_pJ(const GateResult& result, const OpActivity& op, std::int64_t events);

/// The result as JSON; its schema stands above the definition.
std::string gate_json(const GateResult& result);

/// The tables that a terminal shows.
std::string gate_table(const GateResult& result);

}  // namespace td::gate_replay
