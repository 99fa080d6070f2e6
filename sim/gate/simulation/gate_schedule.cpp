// SPDX-License-Identifier: Apache-2.0
// Levels, then memory places: gates that do the same side by side, in each level.
#include "sim/gate/simulation/gate_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/support/error.hpp"

namespace td::gate {

namespace {

constexpr std::int32_t none = -1;

/// The operation that drives each wire, or none.
std::vector<std::int32_t> drivers_of(const Circuit& circuit) {
  std::vector<std::int32_t> drivers(at(circuit.wires), none);
  for (std::size_t i = 0; i < circuit.operations.size(); ++i)
    drivers[at(circuit.operations[i].output)] = static_cast<std::int32_t>(i);
  return drivers;
}

/// The operations that read each operation's output.
struct Readers {
  std::vector<std::int32_t> first;  ///< of operation i: readers[first[i]] … readers[first[i + 1]]
  std::vector<std::int32_t> readers;
};

Readers readers_of(const Circuit& circuit, const std::vector<std::int32_t>& drivers) {
  Readers result;
  result.first.assign(circuit.operations.size() + 1, 0);
  const auto visit = [&](const auto& action) {
    for (std::size_t i = 0; i < circuit.operations.size(); ++i) {
      const Operation& operation = circuit.operations[i];
      for (int k = 0; k < circuit.input_count(operation); ++k) {
        const std::int32_t driver = drivers[at(circuit.inputs_of(operation)[k])];
        if (driver != none) action(driver, static_cast<std::int32_t>(i));
      }
    }
  };
  visit([&](std::int32_t driver, std::int32_t) { ++result.first[at(driver) + 1]; });
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.readers.resize(at(result.first.back()));
  std::vector<std::int32_t> next(result.first.begin(), result.first.end() - 1);
  visit([&](std::int32_t driver, std::int32_t reader) {
    result.readers[at(next[at(driver)]++)] = reader;
  });
  return result;
}

/// Names a gate on a loop: going backwards from an operation without a level, always through such
/// ones, comes to a loop.
[[noreturn]] void refuse_loop(const Netlist& netlist, const Circuit& circuit,
                              const std::vector<std::int32_t>& drivers,
                              const std::vector<std::int32_t>& levels) {
  std::vector<char> seen(circuit.operations.size(), 0);
  auto current =
      static_cast<std::int32_t>(std::find(levels.begin(), levels.end(), none) - levels.begin());
  while (seen[at(current)]++ == 0) {
    const Operation& operation = circuit.operations[at(current)];
    for (int k = 0; k < circuit.input_count(operation); ++k) {
      const std::int32_t driver = drivers[at(circuit.inputs_of(operation)[k])];
      if (driver == none || levels[at(driver)] != none) continue;
      current = driver;
      break;
    }
  }
  const Gate& gate = netlist.gates[at(circuit.operations[at(current)].gate)];
  throw UserError(netlist.top, "gate", netlist.gate_path(gate),
                  "a netlist without combinational loops; this gate is on one");
}

std::vector<std::int32_t> levels_of(const Netlist& netlist, const Circuit& circuit,
                                    const std::vector<std::int32_t>& drivers) {
  const Readers readers = readers_of(circuit, drivers);
  std::vector<std::int32_t> missing(circuit.operations.size(), 0);
  for (const std::int32_t reader : readers.readers) ++missing[at(reader)];
  std::vector<std::int32_t> ready;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (missing[i] == 0) ready.push_back(static_cast<std::int32_t>(i));
  }
  std::vector<std::int32_t> levels(circuit.operations.size(), none);
  for (std::size_t done = 0; done < ready.size(); ++done) {
    const std::int32_t number = ready[done];
    const Operation& operation = circuit.operations[at(number)];
    std::int32_t level = 0;
    for (int k = 0; k < circuit.input_count(operation); ++k) {
      const std::int32_t driver = drivers[at(circuit.inputs_of(operation)[k])];
      if (driver != none) level = std::max(level, levels[at(driver)] + 1);
    }
    levels[at(number)] = level;
    for (std::int32_t r = readers.first[at(number)]; r < readers.first[at(number) + 1]; ++r) {
      const std::int32_t reader = readers.readers[at(r)];
      if (--missing[at(reader)] == 0) ready.push_back(reader);
    }
  }
  if (ready.size() != levels.size()) refuse_loop(netlist, circuit, drivers, levels);
  return levels;
}

/// Gates of all instances of a module together: what they read lies together too, because what
/// drives it was sorted in the same way.
std::vector<std::int32_t> order_of(const Netlist& netlist, const Circuit& circuit,
                                   const std::vector<std::int32_t>& levels) {
  struct Key {
    std::int32_t level, function, name, block, number;
    auto tie() const { return std::tie(level, function, name, block, number); }
  };
  std::vector<Key> keys;
  keys.reserve(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Operation& operation = circuit.operations[i];
    const Gate& gate = netlist.gates[at(operation.gate)];
    keys.push_back(
        {levels[i], operation.function, gate.name, gate.block, static_cast<std::int32_t>(i)});
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.tie() < b.tie(); });
  std::vector<std::int32_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.number);
  return order;
}

std::vector<std::int32_t> state_order(const Netlist& netlist, const Circuit& circuit) {
  std::vector<std::int32_t> order(circuit.states.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::int32_t number) {
    const StateBit& bit = circuit.states[at(number)];
    const Gate& gate = netlist.gates[at(bit.gate)];
    return std::make_tuple(bit.clock, bit.inverted, gate.name, gate.block, number);
  };
  std::sort(order.begin(), order.end(),
            [&key](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
  return order;
}

/// Gives every wire its place.
void place(const Circuit& circuit, const std::vector<std::int32_t>& drivers, Schedule& schedule) {
  schedule.place.assign(at(circuit.wires), none);
  std::int32_t next = 0;
  const auto put = [&](Wire wire) { schedule.place[at(wire)] = next++; };
  std::vector<char> is_state(at(circuit.wires), 0);
  for (const StateBit& bit : circuit.states) is_state[at(bit.state)] = 1;
  for (Wire wire = 0; wire < circuit.wires; ++wire) {
    if (drivers[at(wire)] == none && is_state[at(wire)] == 0) put(wire);
  }
  schedule.first_state = next;
  for (const std::int32_t number : schedule.states) put(circuit.states[at(number)].state);
  schedule.first_output = next;
  for (const std::int32_t number : schedule.order) put(circuit.operations[at(number)].output);
}

void add_runs(const Circuit& circuit, const std::vector<std::int32_t>& levels, Schedule& schedule) {
  schedule.inputs.reserve(circuit.inputs.size());
  for (std::size_t first = 0; first < schedule.order.size();) {
    const std::int32_t number = schedule.order[first];
    const std::int32_t function = circuit.operations[at(number)].function;
    std::size_t end = first;
    while (end < schedule.order.size() && levels[at(schedule.order[end])] == levels[at(number)] &&
           circuit.operations[at(schedule.order[end])].function == function)
      ++end;
    schedule.runs.push_back({function, static_cast<std::int32_t>(schedule.inputs.size()),
                             schedule.first_output + static_cast<std::int32_t>(first),
                             static_cast<std::int32_t>(end - first)});
    for (int k = 0; k < circuit.functions[at(function)].inputs; ++k) {
      for (std::size_t i = first; i < end; ++i) {
        const Operation& operation = circuit.operations[at(schedule.order[i])];
        schedule.inputs.push_back(schedule.place[at(circuit.inputs_of(operation)[k])]);
      }
    }
    first = end;
  }
}

}  // namespace

Schedule make_schedule(const Netlist& netlist, const Circuit& circuit) {
  const std::vector<std::int32_t> drivers = drivers_of(circuit);
  const std::vector<std::int32_t> levels = levels_of(netlist, circuit, drivers);
  Schedule schedule;
  schedule.order = order_of(netlist, circuit, levels);
  schedule.states = state_order(netlist, circuit);
  place(circuit, drivers, schedule);
  add_runs(circuit, levels, schedule);
  return schedule;
}

}  // namespace td::gate
