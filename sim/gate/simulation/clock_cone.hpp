// SPDX-License-Identifier: Apache-2.0
// What the clock itself moves: clock gates, flip-flops that may load at its falling edge, and
// latches. These open there, and see what rests until they close: they load once, as flip-flops do.
#pragma once

#include <vector>

#include "sim/gate/simulation/gate_schedule.hpp"

namespace td::gate {

/// Flip-flops with one clock wire and one sense.
struct ClockDomain {
  std::int32_t clock = 0;  ///< place of the clock wire
  bool inverted = false;
  bool at_fall = false;    ///< may load at the root's falling edge
  std::int32_t first = 0;  ///< its states: Schedule::states[first + i], i < count
  std::int32_t count = 0;
};

struct ClockCone {
  std::vector<ClockDomain> domains;
  /// In the order of evaluation: operations that the root, or a flip-flop that loads when it falls,
  /// can move.
  std::vector<std::int32_t> operations;
};

/// Throws UserError for a clock that is no input, a flip-flop whose clock does not come from it
/// through gates, data that depend on the clock's value, and a latch that is open while the clock
/// is high, or whose data move when it opens.
ClockCone make_clock_cone(const Netlist& netlist, const Circuit& circuit, const Schedule& schedule,
                          Net clock);

}  // namespace td::gate
