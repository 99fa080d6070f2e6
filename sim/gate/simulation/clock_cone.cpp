// SPDX-License-Identifier: Apache-2.0
// Follows the clock through the gates in the order of evaluation.
#include "sim/gate/simulation/clock_cone.hpp"

#include <algorithm>
#include <string>

#include "base/support/error.hpp"

namespace td::gate {

namespace {

/// How a wire can follow the clock.
struct Sense {
  bool rises = false;  ///< with it
  bool falls = false;  ///< against it

  bool any() const { return rises || falls; }
};

/// How a function can follow one of its inputs.
Sense sense_of(const Function& function, int input) {
  if (function.inputs > max_table_inputs) return {true, true};
  const std::uint64_t table = truth_table(function.expression);
  Sense sense;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned bit = 1u << input;
    if ((i & bit) != 0) continue;
    const bool low = (table >> i & 1) != 0;
    const bool high = (table >> (i | bit) & 1) != 0;
    sense.rises = sense.rises || (!low && high);
    sense.falls = sense.falls || (low && !high);
  }
  return sense;
}

class Follower {
 public:
  Follower(const Netlist& netlist, const Circuit& circuit, const Schedule& schedule, Net clock)
      : netlist_(netlist), circuit_(circuit), schedule_(schedule), clock_(clock) {}

  ClockCone follow() {
    check_root();
    follow_clock();
    add_domains();
    add_operations();
    return std::move(cone_);
  }

 private:
  [[noreturn]] void refuse(std::int32_t gate, const std::string& legal) const {
    throw UserError(netlist_.top, "gate", netlist_.gate_path(netlist_.gates[at(gate)]), legal);
  }

  void check_root() const {
    for (const Port& port : netlist_.ports) {
      const bool found = std::find(port.bits.begin(), port.bits.end(), clock_) != port.bits.end();
      if (found && port.direction == PinDirection::input) return;
    }
    throw UserError(netlist_.top, "clock", "net " + std::to_string(clock_), "a net of an input");
  }

  void follow_clock() {
    senses_.assign(at(circuit_.wires), Sense());
    senses_[at(clock_)] = {true, false};
    for (const std::int32_t number : schedule_.order) {
      const Operation& operation = circuit_.operations[at(number)];
      const Function& function = circuit_.functions[at(operation.function)];
      Sense& output = senses_[at(operation.output)];
      for (int k = 0; k < function.inputs; ++k) {
        const Sense input = senses_[at(circuit_.inputs_of(operation)[k])];
        if (!input.any()) continue;
        if (operation.data) refuse_data(operation.gate);
        const Sense through = sense_of(function, k);
        output.rises |= (input.rises && through.rises) || (input.falls && through.falls);
        output.falls |= (input.rises && through.falls) || (input.falls && through.rises);
      }
    }
  }

  [[noreturn]] void refuse_data(std::int32_t gate) const {
    refuse(gate, "flip-flops whose data, clear and preset do not depend on the clock's value");
  }

  void add_domains() {
    for (std::size_t i = 0; i < schedule_.states.size(); ++i) {
      const StateBit& bit = circuit_.states[at(schedule_.states[i])];
      const Sense sense = senses_[at(bit.clock)];
      if (!sense.any())
        refuse(bit.gate, "flip-flops whose clock is the clock input's, through gates only");
      if (bit.is_latch && (bit.inverted ? sense.falls : sense.rises))
        refuse(bit.gate, "latches that are open while the clock is low, and then only");
      if (senses_[at(bit.data)].any()) refuse_data(bit.gate);
      const std::int32_t place = schedule_.place[at(bit.clock)];
      if (cone_.domains.empty() || cone_.domains.back().clock != place ||
          cone_.domains.back().inverted != bit.inverted) {
        const bool at_fall = bit.inverted ? sense.rises : sense.falls;
        cone_.domains.push_back({place, bit.inverted, at_fall, static_cast<std::int32_t>(i), 0});
      }
      ++cone_.domains.back().count;
    }
  }

  void add_operations() {
    std::vector<char> moved(at(circuit_.wires), 0);
    moved[at(clock_)] = 1;
    for (const ClockDomain& domain : cone_.domains) {
      if (!domain.at_fall) continue;
      for (std::int32_t i = domain.first; i < domain.first + domain.count; ++i)
        moved[at(circuit_.states[at(schedule_.states[at(i)])].state)] = 1;
    }
    for (const std::int32_t number : schedule_.order) {
      const Operation& operation = circuit_.operations[at(number)];
      const Wire* const inputs = circuit_.inputs_of(operation);
      const bool moves = std::any_of(inputs, inputs + circuit_.input_count(operation),
                                     [&moved](Wire wire) { return moved[at(wire)] != 0; });
      if (!moves) continue;
      moved[at(operation.output)] = 1;
      cone_.operations.push_back(number);
    }
    for (const StateBit& bit : circuit_.states) {
      if (bit.is_latch && moved[at(bit.data)] != 0)
        refuse(bit.gate, "latches whose data rest while they are open");
    }
  }

  const Netlist& netlist_;
  const Circuit& circuit_;
  const Schedule& schedule_;
  Net clock_;
  std::vector<Sense> senses_;  ///< of wires
  ClockCone cone_;
};

}  // namespace

ClockCone make_clock_cone(const Netlist& netlist, const Circuit& circuit, const Schedule& schedule,
                          Net clock) {
  return Follower(netlist, circuit, schedule, clock).follow();
}

}  // namespace td::gate
