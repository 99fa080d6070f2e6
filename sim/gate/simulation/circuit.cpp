// SPDX-License-Identifier: Apache-2.0
// From cells with pins to operations on wires, each kind of cell looked at once.
#include "sim/gate/simulation/circuit.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/support/error.hpp"

namespace td::gate {

namespace {

using Op = Expression::Op;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// An operation that gates of one kind do: inputs are pins, or state_input.
struct Plan {
  int function = 0;
  std::vector<int> inputs;
};

struct OutputPlan {
  int pin = 0;
  bool is_state = false;  ///< the state itself
  Plan plan;
};

struct StatePlan {
  int clock_pin = 0;
  bool inverted = false;
  bool is_latch = false;
  int data_pin = -1;          ///< where the next state is just a pin
  std::optional<Plan> next;   ///< otherwise
  std::optional<Plan> shown;  ///< with asynchronous pins: the output, from these and the state
};

struct CellPlan {
  std::vector<OutputPlan> outputs;
  std::optional<StatePlan> state;
};

/// The truth table of a function after its inputs changed places.
std::uint64_t permuted(const Expression& expression, const std::vector<int>& new_places,
                       Expression& result) {
  result = expression;
  for (Expression::Term& term : result.terms) {
    if (term.op == Op::pin) term.pin = new_places[at(term.pin)];
  }
  return truth_table(result);
}

/// The different functions of a library's cells.
class Functions {
 public:
  explicit Functions(const GateKernels& kernels) : kernels_(kernels) {}

  Plan plan(Logic logic) {
    const auto count = static_cast<int>(logic.inputs.size());
    if (count > max_table_inputs) return {add({count, logic.expression, nullptr}), logic.inputs};
    std::vector<int> places(logic.inputs.size());
    std::iota(places.begin(), places.end(), 0);
    Expression changed;
    do {
      const std::uint64_t table = permuted(logic.expression, places, changed);
      for (int i = 0; i < kernels_.compiled_count; ++i) {
        const CompiledFunction& compiled = kernels_.compiled[i];
        if (compiled.inputs != count || compiled.truth_table != table) continue;
        std::vector<int> inputs(logic.inputs.size());
        for (std::size_t k = 0; k < inputs.size(); ++k) inputs[at(places[k])] = logic.inputs[k];
        return {known(count, table, {count, changed, &compiled}), inputs};
      }
    } while (std::next_permutation(places.begin(), places.end()));
    return {known(count, truth_table(logic.expression), {count, logic.expression, nullptr}),
            logic.inputs};
  }

  std::vector<Function> take() { return std::move(functions_); }

 private:
  int add(Function function) {
    functions_.push_back(std::move(function));
    return static_cast<int>(functions_.size()) - 1;
  }

  int known(int inputs, std::uint64_t table, Function function) {
    const auto [found, is_new] = numbers_.try_emplace({inputs, table}, 0);
    if (is_new) found->second = add(std::move(function));
    return found->second;
  }

  const GateKernels& kernels_;
  std::vector<Function> functions_;
  std::map<std::pair<int, std::uint64_t>, int> numbers_;
};

bool is_single_pin(const Expression& expression) {
  return expression.terms.size() == 1 && expression.terms[0].op == Op::pin;
}

bool is_inverted_pin(const Expression& expression) {
  return expression.terms.size() == 2 && expression.terms[0].op == Op::pin &&
         expression.terms[1].op == Op::not_;
}

class Maker {
 public:
  Maker(const Netlist& netlist, const Library& library, const GateKernels& kernels)
      : netlist_(netlist), library_(library), functions_(kernels) {
    circuit_.wires = netlist.nets;
  }

  Circuit make() {
    std::vector<std::optional<CellPlan>> plans(library_.cells.size());
    for (std::size_t i = 0; i < netlist_.gates.size(); ++i) {
      const Gate& gate = netlist_.gates[i];
      std::optional<CellPlan>& plan = plans[at(gate.cell)];
      if (!plan) plan = plan_cell(gate);
      add_gate(static_cast<std::int32_t>(i), gate, *plan);
    }
    circuit_.functions = functions_.take();
    return std::move(circuit_);
  }

 private:
  CellPlan plan_cell(const Gate& gate) {
    const Cell& cell = library_.cells[at(gate.cell)];
    CellPlan result;
    for (std::size_t i = 0; i < cell.pins.size(); ++i) {
      const Pin& pin = cell.pins[i];
      if (pin.direction == PinDirection::input || pin.function.empty()) continue;
      const bool is_state = pin.function.terms.size() == 1 && pin.function.terms[0].op == Op::state;
      result.outputs.push_back(
          {static_cast<int>(i), is_state, functions_.plan(to_logic(pin.function))});
    }
    if (cell.flip_flop) result.state = plan_state(gate, cell);
    return result;
  }

  StatePlan plan_state(const Gate& gate, const Cell& cell) {
    const FlipFlop& flip_flop = *cell.flip_flop;
    StatePlan result;
    result.is_latch = flip_flop.is_latch;
    result.inverted = is_inverted_pin(flip_flop.clocked_on);
    if (!result.inverted && !is_single_pin(flip_flop.clocked_on)) {
      throw UserError(library_.path, cell.name + ".clocked_on", "an expression",
                      "a pin or an inverted pin, for gate " + netlist_.gate_path(gate));
    }
    result.clock_pin = flip_flop.clocked_on.terms[0].pin;
    const bool asynchronous = !flip_flop.clear.empty() || !flip_flop.preset.empty();
    if (is_single_pin(flip_flop.next_state) && !asynchronous) {
      result.data_pin = flip_flop.next_state.terms[0].pin;
    } else {
      result.next = functions_.plan(with_asynchronous(flip_flop.next_state, flip_flop));
    }
    if (asynchronous) {
      const Expression state{{{Op::state}}};
      result.shown = functions_.plan(with_asynchronous(state, flip_flop));
    }
    return result;
  }

  Net net(const Gate& gate, int pin) const { return netlist_.pin_nets[at(gate.first + pin)]; }

  void add_gate(std::int32_t number, const Gate& gate, const CellPlan& plan) {
    Wire output = no_wire;
    int output_pin = -1;
    if (plan.state) {
      // The first output that shows the state as it is gives it its wire.
      for (const OutputPlan& shown : plan.outputs) {
        if (output_pin < 0 && shown.is_state && net(gate, shown.pin) != no_net)
          output_pin = shown.pin;
      }
      output = output_pin < 0 ? circuit_.wires++ : net(gate, output_pin);
      add_state(number, gate, *plan.state, output);
    }
    for (const OutputPlan& shown : plan.outputs) {
      if (shown.pin == output_pin || net(gate, shown.pin) == no_net) continue;
      add_operation(number, gate, shown.plan, net(gate, shown.pin), output, false);
    }
  }

  void add_state(std::int32_t number, const Gate& gate, const StatePlan& plan, Wire output) {
    StateBit bit{output,        output, no_wire,      net(gate, plan.clock_pin),
                 plan.inverted, number, plan.is_latch};
    if (plan.shown) {
      bit.state = circuit_.wires++;
      add_operation(number, gate, *plan.shown, output, bit.state, true);
    }
    if (plan.next) {
      bit.data = circuit_.wires++;
      add_operation(number, gate, *plan.next, bit.data, output, true);
    } else {
      bit.data = net(gate, plan.data_pin);
    }
    circuit_.states.push_back(bit);
  }

  void add_operation(std::int32_t number, const Gate& gate, const Plan& plan, Wire output,
                     Wire state, bool data) {
    circuit_.operations.push_back(
        {plan.function, static_cast<std::int32_t>(circuit_.inputs.size()), output, number, data});
    for (const int pin : plan.inputs)
      circuit_.inputs.push_back(pin == state_input ? state : net(gate, pin));
  }

  const Netlist& netlist_;
  const Library& library_;
  Functions functions_;
  Circuit circuit_;
};

}  // namespace

Circuit make_circuit(const Netlist& netlist, const Library& library, const GateKernels& kernels) {
  return Maker(netlist, library, kernels).make();
}

}  // namespace td::gate
