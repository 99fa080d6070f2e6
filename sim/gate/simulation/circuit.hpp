// SPDX-License-Identifier: Apache-2.0
// A netlist as the simulator sees it: single-output operations and bits of state on wires.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/simulation/gate_kernel.hpp"
#include "sim/gate/simulation/logic.hpp"

namespace td::gate {

/// A net of the netlist, by its number, or above these a value that is on no net.
using Wire = std::int32_t;
constexpr Wire no_wire = -1;

/// A Boolean function; its inputs are in the order that the compiled kernel wants.
struct Function {
  int inputs = 0;
  Expression expression;
  const CompiledFunction* compiled = nullptr;  ///< null: interpreted
};

struct Operation {
  std::int32_t function = 0;  ///< index in Circuit::functions
  std::int32_t first = 0;     ///< its inputs are Circuit::inputs[first + i]
  Wire output = no_wire;
  std::int32_t gate = 0;
  bool data = false;  ///< belongs to a flip-flop: next state or state, not a combinational gate
};

/// A flip-flop or latch. The state is what was loaded; with asynchronous pins `output` is the state
/// as these let it be seen, else the same wire.
struct StateBit {
  Wire state = no_wire;
  Wire output = no_wire;
  Wire data = no_wire;  ///< what the next edge loads
  Wire clock = no_wire;
  bool inverted = false;  ///< loads, or opens, where the clock wire falls
  std::int32_t gate = 0;
  bool is_latch = false;
};

struct Circuit {
  Wire wires = 0;  ///< how many, the netlist's first
  std::vector<Function> functions;
  std::vector<Operation> operations;
  std::vector<Wire> inputs;
  std::vector<StateBit> states;

  const Wire* inputs_of(const Operation& operation) const {
    return inputs.data() + operation.first;
  }
  int input_count(const Operation& operation) const {
    return functions[static_cast<std::size_t>(operation.function)].inputs;
  }
};

/// Throws UserError for a flip-flop whose clock is more than a pin or an inverted pin.
Circuit make_circuit(const Netlist& netlist, const Library& library, const GateKernels& kernels);

}  // namespace td::gate
