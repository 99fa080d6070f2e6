// SPDX-License-Identifier: Apache-2.0
// The gate simulator: functions, flip-flops, clock gates, counters and refusals.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "sim/gate/simulation/gate_kernel.hpp"
#include "sim/gate/simulation/simulator.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/gate/gate_cells.hpp"

namespace {

using td::gate::Net;
using td::gate::Netlist;
using td::gate::Simulator;
using td::gate::Word;
using td::unit::in;
using td::unit::instance;
using td::unit::module;
using td::unit::out;

const td::gate::Library library = td::unit::gate_library();
constexpr Word all = ~Word{0};

std::string pins(const std::vector<std::pair<std::string, std::string>>& nets) {
  std::string text;
  for (const auto& [pin, net] : nets)
    text += (text.empty() ? "\"" : ", \"") + pin + "\": [" + net + "]";
  return text;
}

/// A simulator of a top with these ports and cells, the clock being net 2.
struct Bench {
  Netlist netlist;
  Simulator simulator;

  Bench(const std::string& ports, const std::string& cells)
      : netlist(td::unit::netlist_of(module("top", in("ck", "2") + "," + ports, cells), library)),
        simulator(netlist, library, netlist.port("ck").bits[0]) {}

  Net net(const std::string& port, std::size_t bit = 0) const {
    return netlist.port(port).bits[bit];
  }
  void set(const std::string& port, Word value) { simulator.set(net(port), value); }
  Word get(const std::string& port) const { return simulator.get(net(port)); }
  std::uint64_t toggles(const std::string& port) const {
    return simulator.toggles()[static_cast<std::size_t>(net(port))];
  }
  std::uint64_t ones(const std::string& port) const {
    return simulator.ones()[static_cast<std::size_t>(net(port))];
  }
};

std::string refusal(const std::string& ports, const std::string& cells) {
  return td::unit::message_of([&] { Bench(ports, cells); });
}

/// Two inputs a, b and an output y.
const std::string two_inputs = in("a", "3") + "," + in("b", "4") + "," + out("y", "5");

}  // namespace

TEST_CASE("gate simulator: every function in every state of its inputs, compiled or not") {
  for (const td::gate::Cell& cell : library.cells) {
    if (cell.flip_flop || cell.other_state || cell.name == "FLOAT") continue;
    CAPTURE(cell.name);
    // More gates than the interpreter takes at once, on inputs that are inverted in every other.
    constexpr int gates = 70;
    std::string ports = in("i", "10, 11, 12, 13, 14"), cells;
    std::string nots;
    for (int i = 0; i < 5; ++i) {
      nots += instance("n" + std::to_string(i), "INV",
                       pins({{"A", std::to_string(10 + i)}, {"Y", std::to_string(20 + i)}})) +
              ",";
    }
    std::string outputs;
    int next = 100;
    for (int i = 0; i < gates; ++i) {
      std::vector<std::pair<std::string, std::string>> nets;
      int input = i % 2 == 0 ? 10 : 20;
      for (const td::gate::Pin& pin : cell.pins) {
        const bool is_input = pin.direction == td::gate::PinDirection::input;
        nets.emplace_back(pin.name, std::to_string(is_input ? input++ : next));
        if (!is_input) outputs += (outputs.empty() ? "" : ", ") + std::to_string(next++);
      }
      cells +=
          (cells.empty() ? "" : ",") + instance("g" + std::to_string(i), cell.name, pins(nets));
    }
    Bench bench(ports + "," + out("y", outputs), nots + cells);
    std::mt19937_64 random(1);
    for (int step = 0; step < 3; ++step) {
      std::vector<Word> inputs(5);
      for (std::size_t k = 0; k < 5; ++k) {
        inputs[k] = random();
        bench.simulator.set(bench.net("i", k), inputs[k]);
      }
      bench.simulator.settle(all);
      std::vector<Word> inverted = inputs;
      for (Word& word : inverted) word = ~word;
      std::size_t output = 0;
      for (int i = 0; i < gates; ++i) {
        for (const td::gate::Pin& pin : cell.pins) {
          if (pin.direction == td::gate::PinDirection::input) continue;
          const std::vector<Word>& given = i % 2 == 0 ? inputs : inverted;
          const Word expected = td::gate::evaluate(pin.function, given.data(), 0);
          REQUIRE(bench.simulator.get(bench.net("y", output++)) == expected);
        }
      }
      bench.simulator.clock();
    }
  }
}

TEST_CASE("gate simulator: the kernels of every instruction set agree") {
  const td::gate::GateKernels best = td::gate::best_gate_kernels();
  std::vector<td::gate::GateKernels> others{td::gate::gate_kernels_for<td::gate::ArchBase>()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("popcnt"))
    others.push_back(td::gate::gate_kernels_for<td::gate::ArchPopcnt>());
#endif
  constexpr int gates = 37;
  std::mt19937_64 random(7);
  std::vector<Word> values(100);
  for (Word& value : values) value = random();
  std::vector<std::int32_t> inputs(4 * gates);
  for (std::int32_t& input : inputs) input = static_cast<std::int32_t>(random() % values.size());
  const std::vector<Word> old(values.begin(), values.begin() + gates);
  const Word counted = random();
  for (const td::gate::GateKernels& other : others) {
    REQUIRE(other.compiled_count == best.compiled_count);
    for (int i = 0; i < best.compiled_count; ++i) {
      std::vector<std::vector<Word>> results;
      for (const td::gate::GateKernels* kernels : {&best, &other}) {
        std::vector<Word> outputs = old;
        std::vector<std::uint32_t> toggles(gates, 1), ones(gates, 2);
        kernels->compiled[i].run({inputs.data(), gates, values.data(), outputs.data(),
                                  toggles.data(), ones.data(), counted});
        outputs.insert(outputs.end(), toggles.begin(), toggles.end());
        outputs.insert(outputs.end(), ones.begin(), ones.end());
        results.push_back(outputs);
      }
      REQUIRE(results[0] == results[1]);
      REQUIRE(best.compiled[i].truth_table == other.compiled[i].truth_table);
    }
  }
}

TEST_CASE("gate simulator: toggles and ones of the counted copies") {
  Bench bench(two_inputs, instance("g", "AND2", pins({{"A", "3"}, {"B", "4"}, {"Y", "5"}})));
  bench.set("a", all);
  bench.set("b", 0xff);
  bench.simulator.settle(0);
  CHECK(bench.simulator.clocks() == 0);
  CHECK(bench.toggles("y") == 0);
  bench.set("b", 0x0f);
  bench.simulator.settle(0x3f);
  CHECK(bench.get("y") == 0x0f);
  CHECK(bench.toggles("y") == 2);
  CHECK(bench.toggles("a") == 0);
  CHECK(bench.ones("y") == 4);
  CHECK(bench.ones("a") == 6);
  bench.set("b", 0xf0);
  bench.simulator.settle(all);
  CHECK(bench.toggles("y") == 2 + 8);
  CHECK(bench.toggles("b") == 2 + 8);
  CHECK(bench.ones("y") == 4 + 4);
  CHECK(bench.simulator.clocks() == 6 + 64);
  CHECK(bench.simulator.ones()[td::gate::net_one] == 70);
  CHECK(bench.simulator.ones()[td::gate::net_zero] == 0);
  CHECK_THROWS_AS(bench.set("y", 0), std::out_of_range);
  CHECK_THROWS_AS(bench.set("ck", 0), std::out_of_range);
  CHECK_THROWS_AS(bench.simulator.set(td::gate::net_zero, 0), std::out_of_range);
}

TEST_CASE("gate simulator: flip-flops load at once what was settled") {
  Bench bench(in("d", "3") + "," + out("q", "4, 5") + "," + out("n", "6"),
              instance("f", "DFF", pins({{"CK", "2"}, {"D", "3"}, {"Q", "4"}, {"QN", "6"}})) + "," +
                  instance("g", "DFF", pins({{"CK", "2"}, {"D", "4"}, {"Q", "5"}})));
  std::mt19937_64 random(2);
  Word first = 0, second = 0;
  for (int i = 0; i < 20; ++i) {
    const Word d = random();
    bench.set("d", d);
    bench.simulator.settle(1);
    CHECK(bench.get("q") == first);
    CHECK(bench.get("n") == ~first);
    CHECK(bench.simulator.get(bench.net("q", 1)) == second);
    bench.simulator.clock();
    second = first;
    first = d;
  }
  // The first settled state has no clock before it.
  CHECK(bench.toggles("ck") == 1 + 2 * 19);
}

TEST_CASE("gate simulator: a next state that depends on the state") {
  Bench bench(two_inputs,
              instance("f", "DFFE", pins({{"CK", "2"}, {"D", "3"}, {"E", "4"}, {"Q", "5"}})));
  std::mt19937_64 random(3);
  Word state = 0;
  for (int i = 0; i < 20; ++i) {
    const Word d = random(), enable = random();
    bench.set("a", d);
    bench.set("b", enable);
    bench.simulator.settle(all);
    CHECK(bench.get("y") == state);
    bench.simulator.clock();
    state = (d & enable) | (state & ~enable);
  }
}

TEST_CASE("gate simulator: asynchronous clear and preset act when settled and hold over the edge") {
  Bench bench(
      in("d", "3") + "," + in("s", "4") + "," + in("r", "5") + "," + out("q", "6") + "," +
          out("n", "7") + "," + out("y", "8"),
      instance("f", "DFFSR",
               pins({{"CK", "2"}, {"D", "3"}, {"S", "4"}, {"R", "5"}, {"Q", "6"}, {"QN", "7"}})) +
          "," + instance("i", "INV", pins({{"A", "6"}, {"Y", "8"}})));
  std::mt19937_64 random(4);
  Word state = 0;
  for (int i = 0; i < 50; ++i) {
    const Word d = random();
    Word set = random();
    set |= random();
    Word reset = random();
    reset |= random();
    bench.set("d", d);
    bench.set("s", set);
    bench.set("r", reset);
    bench.simulator.settle(all);
    const Word shown = (state | ~set) & reset;
    CHECK(bench.get("q") == shown);
    CHECK(bench.get("n") == ~shown);
    CHECK(bench.get("y") == ~shown);
    bench.simulator.clock();
    state = (d | ~set) & reset;
  }
}

TEST_CASE("gate simulator: what was cleared stays so while its clock is gated off") {
  Bench bench(
      in("en", "3") + "," + in("r", "4") + "," + out("q", "7"),
      instance("e", "DFFN", pins({{"CK", "2"}, {"D", "3"}, {"Q", "5"}})) + "," +
          instance("g", "AND2", pins({{"A", "2"}, {"B", "5"}, {"Y", "6"}})) + "," +
          instance("f", "DFFSR",
                   pins({{"CK", "6"}, {"D", "\"1\""}, {"S", "\"1\""}, {"R", "4"}, {"Q", "7"}})));
  const auto step = [&bench](Word enable, Word reset) {
    bench.set("en", enable);
    bench.set("r", reset);
    bench.simulator.settle(all);
    const Word q = bench.get("q");
    bench.simulator.clock();
    return q;
  };
  CHECK(step(all, all) == 0);
  CHECK(step(0, all) == all);
  CHECK(step(0, 0) == 0);
  CHECK(step(0, all) == 0);
}

const std::string enable_of_the_fall =
    instance("e", "DFFN", pins({{"CK", "2"}, {"D", "3"}, {"Q", "5"}}));
const std::string low_clock = instance("i", "INV", pins({{"A", "2"}, {"Y", "8"}}));
const std::string enable_of_a_latch =
    low_clock + "," + instance("e", "LATCH", pins({{"E", "8"}, {"D", "3"}, {"Q", "5"}}));

/// A clock gate, by its enable, passes the pulses that were enabled, copy by copy.
void check_clock_gate(const std::string& enabled) {
  Bench bench(in("en", "3") + "," + in("d", "4") + "," + out("ce", "5") + "," + out("gck", "6") +
                  "," + out("q", "7"),
              enabled + "," + instance("g", "AND2", pins({{"A", "2"}, {"B", "5"}, {"Y", "6"}})) +
                  "," + instance("f", "DFF", pins({{"CK", "6"}, {"D", "4"}, {"Q", "7"}})));
  std::mt19937_64 random(5);
  constexpr int steps = 50;
  Word q = 0, gated = 0;
  std::uint64_t pulses = 0, enable_toggles = 0, high = 0, low_enabled = 0;
  bench.set("en", 0);
  bench.simulator.settle(0);
  bench.simulator.clock();
  for (int i = 0; i < steps; ++i) {
    const Word enable = random(), d = random();
    bench.set("en", enable);
    bench.set("d", d);
    bench.simulator.settle(all);
    CHECK(bench.get("q") == q);
    CHECK(bench.get("gck") == gated);
    high += static_cast<std::uint64_t>(__builtin_popcountll(gated));
    bench.simulator.clock();
    // What this edge did is counted with the next settled state.
    pulses +=
        i + 1 < steps
            ? static_cast<std::uint64_t>(__builtin_popcountll(enable) + __builtin_popcountll(gated))
            : 0;
    if (i + 1 < steps)
      enable_toggles += static_cast<std::uint64_t>(__builtin_popcountll(enable ^ gated));
    low_enabled += i + 1 < steps ? static_cast<std::uint64_t>(__builtin_popcountll(enable)) : 0;
    q = (q & ~enable) | (d & enable);
    gated = enable;
  }
  CHECK(bench.toggles("gck") == pulses);
  CHECK(bench.toggles("ce") == enable_toggles);
  CHECK(bench.toggles("ck") == 2 * 64 * steps);
  CHECK(bench.ones("ck") == 64 * steps / 2);
  CHECK(bench.ones("gck") == high / 2);
  CHECK(bench.ones("ce") == (high + low_enabled) / 2);
}

TEST_CASE("gate simulator: clock gates of a flip-flop and of a latch") {
  check_clock_gate(enable_of_the_fall);
  check_clock_gate(enable_of_a_latch);
  check_clock_gate(instance("e", "LATCHN", pins({{"E", "2"}, {"D", "3"}, {"Q", "5"}})));
}

TEST_CASE("gate simulator: an OR gate behind a flip-flop of the rising edge, and inverted clocks") {
  Bench bench(in("dis", "3") + "," + in("d", "4") + "," + out("q", "7, 10") + "," + out("gck", "6"),
              instance("e", "DFF", pins({{"CK", "2"}, {"D", "3"}, {"Q", "5"}})) + "," +
                  instance("g", "OR2", pins({{"A", "2"}, {"B", "5"}, {"Y", "6"}})) + "," +
                  instance("f", "DFF", pins({{"CK", "6"}, {"D", "4"}, {"Q", "7"}})) + "," +
                  instance("i", "INV", pins({{"A", "2"}, {"Y", "9"}})) + "," +
                  instance("h", "DFFN", pins({{"CK", "9"}, {"D", "4"}, {"Q", "10"}})));
  std::mt19937_64 random(6);
  Word gated = 0, plain = 0, disabled = 0;
  for (int i = 0; i < 30; ++i) {
    const Word disable = random(), d = random();
    bench.set("dis", disable);
    bench.set("d", d);
    bench.simulator.settle(all);
    CHECK(bench.get("gck") == all);
    CHECK(bench.get("q") == gated);
    CHECK(bench.simulator.get(bench.net("q", 1)) == plain);
    bench.simulator.clock();
    gated = (gated & disabled) | (d & ~disabled);
    plain = d;
    disabled = disable;
  }
}

TEST_CASE("gate simulator: data behind a flip-flop of the falling edge are half a clock ahead") {
  Bench bench(in("d", "3") + "," + out("q", "6") + "," + out("n", "5"),
              instance("e", "DFFN", pins({{"CK", "2"}, {"D", "3"}, {"Q", "4"}})) + "," +
                  instance("i", "INV", pins({{"A", "4"}, {"Y", "5"}})) + "," +
                  instance("f", "DFF", pins({{"CK", "2"}, {"D", "5"}, {"Q", "6"}})));
  bench.set("d", 0x0f);
  bench.simulator.settle(0);
  bench.simulator.clock();
  bench.set("d", 0xff);
  bench.simulator.settle(all);
  CHECK(bench.get("q") == ~Word{0x0f});
  CHECK(bench.get("n") == ~Word{0x0f});
  CHECK(bench.toggles("n") == 4);
}

TEST_CASE("gate simulator: loops are refused, and what is on them is named") {
  const std::string loop = instance("before", "AND2", pins({{"A", "3"}, {"B", "4"}, {"Y", "6"}})) +
                           "," +
                           instance("one", "NAND2", pins({{"A", "6"}, {"B", "8"}, {"Y", "7"}})) +
                           "," + instance("two", "INV", pins({{"A", "7"}, {"Y", "8"}})) + "," +
                           instance("after", "INV", pins({{"A", "8"}, {"Y", "5"}}));
  const std::string said = refusal(two_inputs, loop);
  const std::string legal = " is illegal; legal: a netlist without combinational loops";
  const bool named =
      said.find("top: gate = one" + legal) == 0 || said.find("top: gate = two" + legal) == 0;
  CHECK_MESSAGE(named, said);
  // A clear that its own flip-flop drives.
  CHECK(refusal(two_inputs,
                instance("f", "DFFSR",
                         pins({{"CK", "2"}, {"D", "3"}, {"S", "4"}, {"R", "5"}, {"Q", "5"}})))
            .find("top: gate = f" + legal) == 0);
}

TEST_CASE("gate simulator: clocks that are none") {
  const std::string ripple = instance("f", "DFF", pins({{"CK", "2"}, {"D", "3"}, {"Q", "6"}})) +
                             "," +
                             instance("g", "DFF", pins({{"CK", "6"}, {"D", "3"}, {"Q", "5"}}));
  CHECK(
      refusal(two_inputs, ripple).find("top: gate = g is illegal; legal: flip-flops whose clock") ==
      0);
  CHECK(refusal(two_inputs, instance("f", "DFF", pins({{"CK", "3"}, {"D", "4"}, {"Q", "5"}})))
            .find("top: gate = f is illegal; legal: flip-flops whose clock") == 0);
  const std::string data_legal = " is illegal; legal: flip-flops whose data, clear and preset";
  CHECK(refusal(two_inputs, instance("f", "DFF", pins({{"CK", "2"}, {"D", "2"}, {"Q", "5"}})))
            .find("top: gate = f" + data_legal) == 0);
  CHECK(refusal(two_inputs,
                instance("i", "XOR2", pins({{"A", "2"}, {"B", "3"}, {"Y", "6"}})) + "," +
                    instance("f", "DFFE", pins({{"CK", "2"}, {"D", "3"}, {"E", "6"}, {"Q", "5"}})))
            .find("top: gate = f" + data_legal) == 0);
  CHECK(refusal(two_inputs,
                instance("f", "DFFSR",
                         pins({{"CK", "2"}, {"D", "3"}, {"S", "2"}, {"R", "4"}, {"Q", "5"}})))
            .find("top: gate = f" + data_legal) == 0);
  CHECK(refusal(two_inputs,
                instance("f", "DFFX", pins({{"CK", "2"}, {"D", "3"}, {"E", "4"}, {"Q", "5"}})))
            .find("cells.lib: DFFX.clocked_on = an expression is illegal; legal: a pin") == 0);
  const Netlist netlist = td::unit::netlist_of(
      module("top", two_inputs, instance("i", "INV", pins({{"A", "3"}, {"Y", "5"}}))), library);
  const auto output = [&] { Simulator(netlist, library, netlist.port("y").bits[0]); };
  CHECK(td::unit::message_of(output).find("is illegal; legal: a net of an input") !=
        std::string::npos);
}

TEST_CASE("gate simulator: latches that would follow what moves") {
  const auto latch = [](const std::string& cell, const std::string& enable) {
    return instance("e", cell, pins({{"E", enable}, {"D", "3"}, {"Q", "5"}}));
  };
  const std::string either = instance("x", "XOR2", pins({{"A", "2"}, {"B", "4"}, {"Y", "8"}}));
  for (const std::string& open_high : {latch("LATCH", "2"), low_clock + "," + latch("LATCHN", "8"),
                                       either + "," + latch("LATCH", "8")}) {
    CHECK(refusal(two_inputs, open_high)
              .find("top: gate = e is illegal; legal: latches that are open while the clock is "
                    "low") == 0);
  }
  const std::string through =
      enable_of_a_latch + "," + instance("l", "LATCH", pins({{"E", "8"}, {"D", "5"}, {"Q", "6"}}));
  CHECK(refusal(two_inputs, through)
            .find("top: gate = l is illegal; legal: latches whose data rest while they are open") ==
        0);
}

TEST_CASE("gate simulator: a clock that rises while data settle is refused") {
  Bench bench(two_inputs, instance("g", "AND2", pins({{"A", "2"}, {"B", "3"}, {"Y", "6"}})) + "," +
                              instance("f", "DFF", pins({{"CK", "6"}, {"D", "4"}, {"Q", "5"}})));
  bench.simulator.settle(all);
  bench.simulator.clock();
  bench.set("a", 4);
  CHECK(td::unit::message_of([&] {
          bench.simulator.settle(all);
        }).find("top: gate = f is illegal; legal: clocks that rise only") == 0);
  // Behind an inverter the same gate's clock rises because of what the falling edge loaded.
  Bench other(two_inputs, instance("e", "DFFN", pins({{"CK", "2"}, {"D", "3"}, {"Q", "6"}})) + "," +
                              instance("i", "INV", pins({{"A", "2"}, {"Y", "7"}})) + "," +
                              instance("g", "AND2", pins({{"A", "7"}, {"B", "6"}, {"Y", "8"}})) +
                              "," +
                              instance("f", "DFF", pins({{"CK", "8"}, {"D", "4"}, {"Q", "5"}})));
  other.set("a", 4);
  other.simulator.settle(all);
  CHECK(td::unit::message_of([&] {
          other.simulator.clock();
        }).find("top: gate = f is illegal; legal: clocks that rise only") == 0);
}
