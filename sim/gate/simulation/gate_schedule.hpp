// SPDX-License-Identifier: Apache-2.0
// The order in which a circuit is evaluated, and where its values lie in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/gate/simulation/circuit.hpp"

namespace td::gate {

/// Operations of one function and one level: their outputs lie side by side.
struct Run {
  std::int32_t function = 0;
  std::int32_t first_input = 0;  ///< in Schedule::inputs, [input][operation]
  std::int32_t first_place = 0;  ///< of the outputs
  std::int32_t count = 0;
};

/// Places: the constants 0 and 1, wires that no operation drives, states, then the operations'
/// outputs in the order of evaluation.
struct Schedule {
  std::vector<std::int32_t> place;   ///< of each wire
  std::int32_t first_state = 0;      ///< place of the first state
  std::vector<std::int32_t> states;  ///< index in Circuit::states, by place: one clock's together
  std::int32_t first_output = 0;     ///< place of the first operation's output
  std::vector<std::int32_t> order;   ///< index in Circuit::operations, by place
  std::vector<std::int32_t> inputs;  ///< places
  std::vector<Run> runs;
};

/// Throws UserError (netlist, gate) when operations form a loop.
Schedule make_schedule(const Netlist& netlist, const Circuit& circuit);

}  // namespace td::gate
