// SPDX-License-Identifier: Apache-2.0
// Replays passes through 64 copies of a gate-level tile beside the reference model; counts toggles.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/power/power.hpp"
#include "sim/gate/replay/work_source.hpp"
#include "sim/gate/simulation/simulator.hpp"

namespace td::gate_replay {

/// What became of the passes.
struct Replay {
  std::vector<replay::Tally> tallies;  ///< of all copies together
  Work work;
  std::int64_t multiplied_macs = 0;  ///< pairs that lanes multiplied, in all columns
  std::int64_t clocks = 0;           ///< counted, of all copies together
  std::int64_t simulated_clocks = 0;
  std::int64_t mismatches = 0;
  std::string first_mismatch;  ///< with the copy; empty if there was none
  gate::Activity activity;     ///< over the counted clocks
};

/// Hears of every clock after reset, once the nets have settled: which copies are counted, and how
/// many passes are done.
using ClockObserver =
    std::function<void(const gate::Simulator&, gate::Word counted, std::int64_t passes_done)>;

/// Deals the passes of the source to the copies as they take them, and checks every output, flag,
/// cycle count and counter. A copy's clocks are counted from its first row in the tile to its last
/// output: its cycles, and one output latency. `file` names the netlist in messages. Throws
/// UserError when its ports are not those of the configuration.
Replay replay_passes(const gate::Netlist& netlist, const gate::Library& library,
                     const Config& config, const std::string& file, WorkSource& source,
                     const ClockObserver& observer);

}  // namespace td::gate_replay
