// SPDX-License-Identifier: Apache-2.0
// Power against liberty arithmetic worked by hand.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/gate/power/power.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/gate/liberty_draft.hpp"
#include "verify/unit/gate/slews_draft.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using td::gate::Activity;
using td::gate::Library;
using td::gate::Net;
using td::gate::net_one;
using td::gate::net_zero;
using td::gate::Netlist;
using td::gate::no_net;
using td::gate::PinDirection;
using td::gate::Power;
using td::gate::PowerGroups;
using td::gate::PowerOptions;
using td::gate::Slews;
using td::unit::hand_library;
using td::unit::library_of;
using td::unit::slews_of;

/// A netlist and what its nets do.
struct Design {
  Library library;
  Netlist netlist;
  Activity activity{{0, 0}, {0, 1}};
  PowerOptions options;

  /// A net with its toggles per clock and its share of ones.
  Net net(double toggles, double ones) {
    activity.toggles_per_clock.push_back(toggles);
    activity.share_of_ones.push_back(ones);
    return netlist.nets++;
  }

  void block(const std::string& path, const std::string& module, int parent) {
    netlist.blocks.push_back({path, module, parent, {}});
  }

  /// A gate in the last block; nets by pin of its cell.
  void gate(const std::string& cell, const std::string& name, const std::vector<Net>& nets) {
    const int index = library.index(cell);
    REQUIRE(index >= 0);
    REQUIRE(library.cells[static_cast<std::size_t>(index)].pins.size() == nets.size());
    netlist.gates.push_back({index, static_cast<int>(netlist.blocks.size()) - 1,
                             static_cast<int>(netlist.pin_nets.size()),
                             static_cast<int>(netlist.names.size())});
    netlist.names.push_back(name);
    netlist.pin_nets.insert(netlist.pin_nets.end(), nets.begin(), nets.end());
  }

  std::vector<PowerGroups> power(const Slews& slews = Slews(0.25)) const {
    return td::gate::power(netlist, library, activity, slews, options);
  }
};

/// One gate of the library by hand, or of another; 8 ns: a pJ in each clock is 125 µW.
Design draft(const Library& library) {
  Design design;
  design.library = library;
  design.options.clock_ns = 8;
  design.options.wire_pF_per_fanout = 0.125;
  design.block("", "top", -1);
  return design;
}

td::gate::NetLoads loads_of(const std::string& text, const Design& design) {
  const td::unit::Folder folder;
  const std::string path = folder.file("loads.txt");
  std::ofstream(path) << text;
  return td::gate::read_net_loads(path, design.netlist, design.library);
}

/// Equal to the last bit.
void check(const Power& power, double internal, double switching, double leakage) {
  CHECK(power.internal == internal);
  CHECK(power.switching == switching);
  CHECK(power.leakage == leakage);
}

/// The five cells: y = q, and q after the clock is !(!(a b)) ^ q. The flip-flop is in a block of
/// its own. Toggles and shares need not fit that function: power takes them as they are.
Design five_cells() {
  Design design = draft(library_of(hand_library));
  const Net ck = design.net(2, 0.5);
  const Net a = design.net(0.5, 0.5);
  const Net b = design.net(1.5, 0.25);
  const Net n1 = design.net(0.5, 0.875);
  const Net n2 = design.net(0.5, 0.125);
  const Net d = design.net(0.75, 0.5);
  const Net q = design.net(0.5, 0.25);
  const Net y = design.net(0.5, 0.25);
  design.gate("NAND", "nand", {a, b, n1});
  design.gate("INV", "inv", {n1, n2});
  design.gate("XOR", "xor", {n2, q, d});
  design.gate("BUF", "buf", {q, y});
  design.block("register", "$paramod\\reg\\W=1", 0);
  design.gate("DFF", "q", {ck, d, q});
  design.netlist.ports = {{"y", PinDirection::output, {y}}};
  return design;
}

}  // namespace

// All figures below are sums of few powers of two: the arithmetic by hand is that of the computer.
// Every slew is 0.25 ns but that of the NAND's A, 0.5 ns. Each input pin adds 0.125 pF of wire.
TEST_CASE("power: five cells are worth what liberty says, to the last bit") {
  const Design design = five_cells();
  const std::vector<PowerGroups> blocks = design.power(slews_of("top nand A 0.5\n", 0.25));
  REQUIRE(blocks.size() == 2);

  // NAND: load of n1 = 0.25 + 0.125 = 0.375 pF
  //   through A, slew 0.5:  rise 1.5 + 0.375 * 2 = 2.25     fall 3.5 + 0.375 * 3 = 4.625
  //   through B:            rise 2                          fall 2
  //   weights: A toggles 0.5, B 1.5: of 2, a quarter and three quarters
  //                         rise 2.0625                     fall 2.65625
  //   internal  (2.0625 + 2.65625) / 2 * 0.5 toggles = 1.1796875 pJ
  //   switching 0.375 pF * (2 V)^2 / 2 * 0.5 = 0.375 pJ
  //   leakage   !A !B: 0.5 * 0.75 of the time 1; A B: 0.5 * 0.25 4; else 8: 0.375 + 0.5 + 4 = 4.875
  // INV: load of n2 = 0.5 + 0.125 = 0.625 pF
  //   internal  (1 + 0.5) / 2 * 0.5 = 0.375 pJ
  //   switching 0.625 * 4 / 2 * 0.5 = 0.625 pJ
  //   leakage   2
  // XOR: load of d = 0.25 + 0.125 = 0.375 pF
  //   through A while B: 1 + 0.25 * 1 + 0.375 * 2 = 2, weight 0.5 * 0.25 = 0.125
  //   through A while !B: 4, weight 0.5 * 0.75 = 0.375
  //   through B: rise 1, fall 3, weight 0.5, each told of in its own group
  //   internal  rise 0.25 + 1.5 + 0.5 = 2.25, fall 0.25 + 1.5 + 1.5 = 3.25: 2.75 * 0.75 = 2.0625 pJ
  //   switching 0.375 * 4 / 2 * 0.75 = 0.5625 pJ
  //   leakage   16, the library's default
  // BUF: y drives no pin
  //   internal  0.25 * 0.5 = 0.125 * 0.5 toggles = 0.0625 pJ; leakage 1
  const Power& logic = blocks[0].combinational;
  check(logic, 125 * (1.1796875 + 0.375 + 2.0625 + 0.0625), 125 * (0.375 + 0.625 + 0.5625),
        4.875 + 2 + 16 + 1);
  check(blocks[0].sequential, 0, 0, 0);
  check(blocks[0].clock_tree, 0, 0, 0);

  // DFF: load of q = XOR.B 0.25 + BUF.A 0.125 + 2 * 0.125 = 0.625 pF
  //   CK        (1.25 + 0.25) / 2 * 2 toggles = 1.5 pJ
  //   D         2 while !CK: 2 * 0.5 * 0.75 toggles = 0.75 pJ
  //   Q         (2 + 4) / 2 * 0.5 toggles = 1.5 pJ
  //   switching 0.625 * 4 / 2 * 0.5 = 0.625 pJ
  //   leakage   Q: 0.25 * 2, !Q: 0.75 * 6: 5
  check(blocks[1].sequential, 125 * 3.75, 125 * 0.625, 5);
  check(blocks[1].combinational, 0, 0, 0);
  check(blocks[1].clock_tree, 0, 0, 0);

  check(blocks[0].total(), 459.9609375, 195.3125, 23.875);
  CHECK(blocks[1].total().total() == 468.75 + 78.125 + 5);
}

TEST_CASE("power: a real table, interpolated by hand") {
  Design design = draft(td::gate::read_liberty("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"));
  design.options.clock_ns = 10;  // a pJ in each clock is 100 µW
  design.options.wire_pF_per_fanout = 0.01;
  const Net clock = design.net(2, 0.5);
  const Net a = design.net(0.4, 0.3);
  const Net b = design.net(0.1, 0.6);
  const Net y = design.net(0.2, 0.2);
  const Net q = design.net(0.2, 0.2);
  design.gate("AND2X1", "and", {a, b, y});
  design.gate("DFFPOSX1", "q", {clock, y, q});
  const auto blocks = design.power(slews_of("top and A 0.12\ntop and B 0.3\ntop q CLK 0.1\n", 2));

  // AND2X1.Y: load = DFFPOSX1.D 0.00882947 + wire 0.01 = 0.01882947 pF, which lies
  // (0.01882947 - 0.0125) / (0.025 - 0.0125) of the way between the table's 0.0125 and 0.025.
  const double load = 0.00882947 + 0.01;
  const double way = (load - 0.0125) / 0.0125;
  const auto between = [](double first, double second, double part) {
    return first + part * (second - first);
  };
  // Through A: slew 0.12 is half-way between 0.06 and 0.18.
  const double rise_a =
      between(between(0.013339, 0.017698, 0.5), between(0.013729, 0.018863, 0.5), way);
  const double fall_a =
      between(between(0.053948, 0.063015, 0.5), between(0.054045, 0.062985, 0.5), way);
  // Through B: slew 0.3 is half-way between 0.18 and 0.42.
  const double rise_b =
      between(between(0.018327, 0.030221, 0.5), between(0.018522, 0.030189, 0.5), way);
  const double fall_b =
      between(between(0.072689, 0.085935, 0.5), between(0.073131, 0.086345, 0.5), way);
  // A toggles 0.4 times in a clock, B 0.1 times: A counts 0.8, B 0.2.
  const double energy = 0.8 * (rise_a + fall_a) / 2 + 0.2 * (rise_b + fall_b) / 2;
  const Power& logic = blocks[0].combinational;
  constexpr double close = 1e-13;
  CHECK(logic.internal == doctest::Approx(100 * 0.2 * energy).epsilon(close));
  CHECK(logic.switching == doctest::Approx(100 * load * 1.8 * 1.8 / 2 * 0.2).epsilon(close));
  CHECK(logic.leakage == doctest::Approx(0.0746794e-3).epsilon(close));

  // DFFPOSX1.CLK: slew 0.1 is 2/9 of the way from 0.06 to 0.24. D has the fallback slew, 2 ns,
  // which the table does not reach: its last column counts. Q drives nothing: the table's first
  // row, at the slew of CLK.
  const double on_clock =
      between(0.006865, 0.006943, 2.0 / 9) + between(0.11034, 0.129769, 2.0 / 9);
  const double on_data = 0.096119 + 0.139032;
  const double on_output =
      between(0.040752, 0.06407, 2.0 / 9) + between(0.064773, 0.076646, 2.0 / 9);
  const double register_energy = (2 * on_clock + 0.2 * on_data + 0.2 * on_output) / 2;
  CHECK(blocks[0].sequential.internal == doctest::Approx(100 * register_energy).epsilon(close));
  CHECK(blocks[0].sequential.switching == 0);
  CHECK(blocks[0].sequential.leakage == doctest::Approx(0.160725e-3).epsilon(close));
}

TEST_CASE("power: constants, and pins without a net") {
  Design design = draft(library_of(hand_library));
  const Net y = design.net(1, 0.5);
  // Through A, which does not toggle, and B neither: both count alike. No load: slew 0.25.
  //   rise (1.25 + 2) / 2, fall (3.25 + 2) / 2; leakage: A is one, B is half of the time
  design.gate("NAND", "nand", {net_one, no_net, y});
  check(design.power()[0].combinational, 125 * 2.125, 0, 0.5 * 4 + 0.5 * 8);

  Design zero = draft(library_of(hand_library));
  zero.gate("NAND", "nand", {net_zero, net_zero, no_net});
  check(zero.power()[0].combinational, 0, 0, 1);
}

TEST_CASE("power: the state of a flip-flop is known from an inverted output, too") {
  const auto leakage = [](const std::string& function) {
    Design design = draft(
        library_of(td::unit::with(hand_library, "function : \"IQ\"", "function : " + function)));
    design.gate("DFF", "q", {net_zero, net_zero, design.net(0, 0.25)});
    return design.power()[0].sequential.leakage;
  };
  CHECK(leakage("IQ") == 0.25 * 2 + 0.75 * 6);
  CHECK(leakage("IQN") == 0.25 * 2 + 0.75 * 6);
  CHECK(leakage("\"!IQ\"") == 0.25 * 2 + 0.75 * 6);
}

TEST_CASE("power: an input spends once, whatever pins are said to be related") {
  Design design = draft(
      library_of(td::unit::with(hand_library, "internal_power () { when : \"!CK\";",
                                R"(internal_power () { related_pin : "CK Q"; when : "!CK";)")));
  design.gate("DFF", "q", {net_zero, design.net(0.5, 0.5), no_net});
  check(design.power()[0].sequential, 125 * 2 * 0.5, 0, 4);
}

TEST_CASE("power: conditions on outputs follow from the inputs, and rails add up") {
  const std::string text = td::unit::with(
      td::unit::with(hand_library, "leakage_power () { when : \"!A !B\"; value : 1; }",
                     "leakage_power () { when : \"Y\"; value : 32; related_pg_pin : VDD; }"
                     "leakage_power () { when : \"Y\"; value : 64; related_pg_pin : VSS; }"),
      R"(internal_power () { related_pin : "B"; power (scalar) { values ("2"); } })",
      "internal_power () { related_pin : \"B\"; related_pg_pin : VSS; "
      "power (scalar) { values (\"2\"); } }");
  Design design = draft(library_of(text));
  const Net a = design.net(0.5, 0.5);
  const Net b = design.net(1.5, 0.25);
  const Net y = design.net(1, 0.5);
  design.gate("NAND", "nand", {a, b, y});
  // Y is one 7/8 of the time, whatever its own net says, and zero when A B, which has a figure.
  check(design.power()[0].combinational, 125 * ((1.25 + 3.25) / 2 + 2), 0, 96 * 0.875 + 4 * 0.125);
}

namespace {

/// Two flip-flops and a clock gate on the clock, of which two sinks are in the top block; four
/// flip-flops behind the gate, one in the first block, three in the second.
Design gated_clock(bool enable_is_used) {
  Design design = draft(library_of(hand_library));
  const Net ck = design.net(2, 0.5);
  const Net en = design.net(0, 0.5);
  const Net gated = design.net(0.5, 0.5);
  const Net y = design.net(0, 0.5);
  design.options.clock = ck;
  design.gate("DFF", "enable", {ck, no_net, en});
  design.gate("NAND", "gate", {ck, en, gated});
  if (enable_is_used) design.gate("INV", "use", {en, y});
  design.block("first", "first", 0);
  design.gate("DFF", "a", {ck, net_zero, no_net});
  design.gate("DFF", "b", {ck, net_zero, no_net});
  design.gate("DFF", "c", {gated, net_zero, no_net});
  design.block("second", "second", 0);
  for (const char* name : {"d", "e", "f"}) design.gate("DFF", name, {gated, net_zero, no_net});
  return design;
}

}  // namespace

TEST_CASE("power: the clock tree, by hand") {
  Design design = gated_clock(false);
  design.options.clock_buffer = "BUF";
  design.options.clock_buffer_fanout = 2;
  const std::vector<PowerGroups> blocks = design.power();

  // Either net has 4 sinks of 0.25 pF and 4 wires: 1.5 pF. 2 buffers of 0.75 pF each, then 1 that
  // drives both: 2 * (0.125 + 0.125) = 0.5 pF. A buffer takes 0.25 * 0.5 + load, and leaks 1.
  //   internal  2 * 0.875 + 0.625 = 2.375 pJ; switching (1.5 + 0.5) * 4 / 2 = 4 pJ; leakage 3
  // for each toggle: the clock has 2, the gated clock 0.5.
  //
  // Gate: load = 0.125 + 0.125 = 0.25 pF, only A toggles: rise 1.25 + 0.25 * 2 = 1.75,
  //   fall 3.25 + 0.25 * 2.5 = 3.875; internal 2.8125 * 0.5 = 1.40625 pJ;
  //   switching 0.25 * 4 / 2 * 0.5 = 0.25 pJ; leakage 0.25 * 1 + 0.25 * 4 + 0.5 * 8 = 5.25
  // Enable: CK (1.25 + 0.25) / 2 * 2 = 1.5 pJ; leakage 0.5 * 2 + 0.5 * 6 = 4
  check(blocks[0].clock_tree, 125 * (1.40625 + 1.5 + 4.75 / 2), 125 * (0.25 + 8.0 / 2),
        5.25 + 4 + 3.0 / 2);
  check(blocks[0].sequential, 0, 0, 0);
  check(blocks[0].combinational, 0, 0, 0);
  check(blocks[1].clock_tree, 125 * (4.75 / 2 + 1.1875 / 4), 125 * (8.0 / 2 + 2.0 / 4),
        3.0 / 2 + 3.0 / 4);
  check(blocks[2].clock_tree, 125 * 1.1875 * 0.75, 125 * 2 * 0.75, 3 * 0.75);
  // Flip-flops' clock pins: 0.75 pJ a toggle. Their outputs have no net: one half of the time.
  check(blocks[1].sequential, 125 * 0.75 * (2 + 2 + 0.5), 0, 3 * 4);
  check(blocks[2].sequential, 125 * 0.75 * 3 * 0.5, 0, 3 * 4);
}

// The clock has 1 pF at its port, and 2 pF behind two buffers; the gate drives 0.5 pF.
TEST_CASE("power: a placed clock tree, by hand") {
  Design design = gated_clock(false);
  design.netlist.ports = {{"ck", PinDirection::input, {design.options.clock}}};
  design.options.loads = loads_of("tensordash-loads-3 BUF BUF\n2 1 2 2\n4 0.5 0 0\n", design);
  const std::vector<PowerGroups> blocks = design.power();
  // Buffers: internal 2 * (0.125 + 1) * 2 = 4.5 pJ; switching 2 * 4 / 2 * 2 = 8 pJ; leakage 2.
  // Half of their sinks are in the top. Gate: rise 2.25, fall 4.5; the enable as above.
  check(blocks[0].clock_tree, 125 * (3.375 * 0.5 + 1.5 + 4.5 / 2), 125 * (0.5 + 8.0 / 2),
        5.25 + 4 + 2.0 / 2);
  check(blocks[1].clock_tree, 125 * 4.5 / 2, 125 * 8.0 / 2, 2.0 / 2);
  check(blocks[2].clock_tree, 0, 0, 0);
  for (const PowerGroups& block : blocks) check(block.combinational, 0, 0, 0);
}

TEST_CASE("power: the latch of a clock gate is in the clock tree, and what opens it") {
  td::gate::Library library = library_of(hand_library);
  library.cells.push_back(*library.find("DFF"));
  library.cells.back().name = "LATCH";
  library.cells.back().flip_flop->is_latch = true;
  Design design = draft(library);
  const Net ck = design.net(2, 0.5);
  const Net opens = design.net(2, 0.5);
  const Net en = design.net(0, 0.5);
  const Net gated = design.net(0.5, 0.5);
  design.options.clock = ck;
  design.gate("INV", "invert", {ck, opens});
  design.gate("LATCH", "enable", {opens, no_net, en});
  design.gate("NAND", "gate", {ck, en, gated});
  design.gate("DFF", "a", {gated, net_zero, no_net});
  const PowerGroups all = design.power()[0];
  CHECK(all.clock_tree.leakage == 2 + 4 + 5.25);
  CHECK(all.sequential.leakage == 4);
  CHECK(all.combinational.leakage == 0);
}

TEST_CASE("power: without buffers the gate drives its flip-flops itself") {
  const std::vector<PowerGroups> blocks = gated_clock(false).power();
  // rise 1.25 + (2 / 1) * 1, fall 3.25 + 2.5: the load of 1.5 pF is beyond the table's 1 pF.
  check(blocks[0].clock_tree, 125 * ((3.25 + 5.75) / 2 * 0.5 + 1.5), 125 * 1.5 * 4 / 2 * 0.5,
        5.25 + 4);
  check(blocks[1].clock_tree, 0, 0, 0);
}

TEST_CASE("power: what gates the clock is known by what it drives") {
  // A flip-flop whose output is used elsewhere is an ordinary one.
  const std::vector<PowerGroups> used = gated_clock(true).power();
  CHECK(used[0].sequential.leakage == 4);
  CHECK(used[0].clock_tree.leakage == 5.25);
  CHECK(used[0].combinational.leakage == 2);

  Design port = gated_clock(false);
  port.netlist.ports = {{"en", PinDirection::output, {3}}};
  CHECK(port.power()[0].sequential.leakage == 4);

  Design no_clock = gated_clock(false);
  no_clock.options.clock = no_net;
  CHECK(no_clock.power()[0].sequential.leakage == 4);
  CHECK(no_clock.power()[0].combinational.leakage == 5.25);
  check(no_clock.power()[0].clock_tree, 0, 0, 0);
}

TEST_CASE("power: a clock tree's levels") {
  const auto leakage = [](int flip_flops, int fanout) {
    Design design = draft(library_of(hand_library));
    const Net ck = design.net(2, 0.5);
    for (int i = 0; i < flip_flops; ++i) design.gate("DFF", "q", {ck, net_zero, no_net});
    design.options.clock = ck;
    design.options.clock_buffer = "BUF";
    design.options.clock_buffer_fanout = fanout;
    return design.power()[0].clock_tree.leakage;  // 1 for each buffer
  };
  CHECK(leakage(1, 4) == 0);
  CHECK(leakage(2, 4) == 1);
  CHECK(leakage(4, 4) == 1);
  CHECK(leakage(5, 4) == 2 + 1);
  CHECK(leakage(16, 4) == 4 + 1);
  CHECK(leakage(17, 4) == 5 + 2 + 1);
  CHECK(leakage(5, 2) == 3 + 2 + 1);
}

TEST_CASE("power: what a clock gate drives besides the clock is no clock") {
  Design design = draft(library_of(td::unit::with(
      hand_library, "pin (Y) {\n      direction : output; function : \"!(A B)\";",
      "pin (Z) { direction : output; function : \"A\"; } pin (Y) {\n      direction : output; "
      "function : \"!(A B)\";")));
  const Net ck = design.net(2, 0.5);
  const Net gated = design.net(2, 0.5);
  const Net other = design.net(2, 0.5);
  design.gate("NAND", "gate", {ck, net_one, other, gated});
  for (const char* name : {"q", "p"}) design.gate("DFF", name, {gated, net_zero, no_net});
  design.gate("INV", "inv", {other, no_net});
  design.options.clock = ck;
  design.options.clock_buffer = "BUF";
  design.options.clock_buffer_fanout = 2;
  // The gate, and a buffer for the net of two sinks.
  CHECK(design.power()[0].clock_tree.leakage == 0.5 * 8 + 0.5 * 4 + 1);
}

// Of five cells: n1 is not placed; n2 has 2 pF at its driver and as much behind two buffers; y,
// which drives no pin, has 0.5 pF. Of a buffer: BUF, 0.25 * 0.5 slews + load, leakage 1.
TEST_CASE("power: placed nets load what their wires do, and repeaters take theirs") {
  Design design = five_cells();
  const Power before = design.power()[0].combinational;
  design.options.loads = loads_of("tensordash-loads-3 BUF BUF\n6 2 2 2\n9 0.5 0 0\n", design);
  const Power placed = design.power()[0].combinational;

  // INV's own: a toggle takes 0.75 pJ whatever the load is. Two buffers, 1 pF each, 0.5 toggles:
  //   internal (0.125 + 1) * 0.5 * 2 = 1.125 pJ, and BUF's own at y gains 0.5 * 0.5 = 0.25 pJ
  //   switching of n2 (2 + 2) * 2 * 0.5 for 0.625 * 2 * 0.5; of y 0.5 * 2 * 0.5; leakage 2
  CHECK(placed.internal - before.internal == 125 * (1.125 + 0.25));
  CHECK(placed.switching - before.switching == 125 * (4 - 0.625 + 0.5));
  CHECK(placed.leakage - before.leakage == 2);
}

TEST_CASE("power: a repeater behind an input port is the top's") {
  Design design = five_cells();
  const Power before = design.power()[0].combinational;
  design.netlist.ports.push_back({"b", PinDirection::input, {4}});
  design.options.loads = loads_of("tensordash-loads-3 BUF BUF\n4 1 1 1\n", design);
  const Power placed = design.power()[0].combinational;
  CHECK(placed.internal - before.internal == 125 * 1.125 * 1.5);
  CHECK(placed.switching - before.switching == 125 * 1 * 2 * 1.5);
}

TEST_CASE("power: loads that are refused") {
  const Design design = five_cells();
  const auto message = [&](const std::string& text) {
    const std::string all = td::unit::message_of([&] { loads_of(text, design); });
    return all.substr(std::min(all.find("loads.txt"), all.size()));
  };
  const std::string form =
      " is illegal; legal: NET DRIVER_PF BEHIND_PF BUFFERS, each net of 2..9 once, none negative";
  const std::string head =
      " is illegal; legal: tensordash-loads-3 REPEATER CLOCK_BUFFER, cells of x.lib whose "
      "outputs repeat their one input";
  CHECK(message("\n") == "loads.txt: line 1 = " + head);
  for (const std::string line : {"tensordash-loads-1 BUF BUF", "tensordash-loads-3 INV BUF",
                                 "tensordash-loads-3 BUF INV", "tensordash-loads-3 BUF"}) {
    CHECK(message(line + "\n") == "loads.txt: line 1 = " + line + head);
  }
  for (const std::string line : {"1 1 0 0", "10 1 0 0", "6 -1 0 0", "6 1 1 0", "6 1 0", "6 1 0 0 0",
                                 "6 1 0 -1", "6 x 0 0"}) {
    CHECK(message("tensordash-loads-3 BUF BUF\n" + line + "\n") ==
          "loads.txt: line 2 = " + line + form);
  }
  CHECK(message("tensordash-loads-3 BUF BUF\n6 1 0 0\n6 1 0 0\n") ==
        "loads.txt: line 3 = 6 1 0 0" + form);
}

TEST_CASE("power: options that are refused") {
  const auto message = [](const std::string& buffer, int fanout, double clock_ns) {
    Design design = five_cells();
    design.options.clock_buffer = buffer;
    design.options.clock_buffer_fanout = fanout;
    design.options.clock_ns = clock_ns;
    return td::unit::message_of([&] { design.power(); });
  };
  CHECK(message("BUF", 2, 1) == "(accepted)");
  const std::string legal = " is illegal; legal: a cell whose output repeats its one input";
  CHECK(message("CLKBUF", 2, 1) == "x.lib: clock buffer = CLKBUF" + legal);
  CHECK(message("INV", 2, 1) == "x.lib: clock buffer = INV" + legal);
  CHECK(message("NAND", 2, 1) == "x.lib: clock buffer = NAND" + legal);
  CHECK(message("BUF", 1, 1) == "x.lib: fan-out of clock buffers = 1 is illegal; legal: 2 or more");
  CHECK(message("", 0, 0) == "x.lib: clock period = 0 is illegal; legal: more than 0 ns");
}

TEST_CASE("power: conditions on too many pins are refused") {
  std::string pins = "I0";
  for (int i = 1; i < 17; ++i) pins += ",I" + std::to_string(i);
  std::string when = pins;
  for (char& c : when) c = c == ',' ? ' ' : c;
  Design design = draft(
      library_of(td::unit::with(hand_library, "cell (BUF)",
                                "cell (WIDE) { area : 1; pin (" + pins +
                                    ") { direction : input; capacitance : 1; } leakage_power () { "
                                    "when : \"" +
                                    when + "\"; value : 1; } } cell (BUF)")));
  design.gate("WIDE", "wide", std::vector<Net>(17, net_zero));
  CHECK(td::unit::message_of([&] { design.power(); }) ==
        "x.lib: cell WIDE when = 17 pins in all is illegal; legal: at most 16");
}
