// SPDX-License-Identifier: Apache-2.0
// Liberty files that are refused, each in one line that says where and what would be legal.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "verify/unit/base/refusal.hpp"
#include "verify/unit/gate/liberty_draft.hpp"

namespace {

using td::unit::hand_library;
using td::unit::with;

std::string message_of(const std::string& text) {
  return td::unit::message_of([&] { td::unit::library_of(text); });
}

std::string message_with(const std::string& from, const std::string& to) {
  return message_of(with(hand_library, from, to));
}

/// A library of one inverter and this.
std::string inverter_and(const std::string& cells) {
  return "library (x) { nom_voltage : 1; default_input_pin_cap : 1; default_cell_leakage_power : "
         "1; "
         "cell (INV) { area : 1; pin (A) { direction : input; } pin (Y) { "
         "direction : output; function : \"!A\"; } }" +
         cells + "}";
}

}  // namespace

TEST_CASE("liberty refused: no such file") {
  const std::string message =
      td::unit::message_of([] { td::gate::read_liberty("/nowhere/x.lib"); });
  CHECK(message ==
        "/nowhere/x.lib: cannot be read: No such file or directory; legal: a readable liberty "
        "file");
}

TEST_CASE("liberty refused: not liberty, with the line") {
  const std::string legal =
      " is illegal; legal: a liberty file, not compressed: library (NAME) { ... }";
  CHECK(message_of("module x;\nendmodule\n") == "x.lib: line 1 = module x;" + legal);
  CHECK(message_of("\n\n{ \"a\": 1 }") == "x.lib: line 3 = { \"a\": 1 }" + legal);
  CHECK(message_of("\x1f\x8b\x08\n") == "x.lib: line 1 = ??" + legal);
  CHECK(message_of("/* nothing */\n") == "x.lib: line 2 = end of file" + legal);
  CHECK(message_of("library (x)\n;") == "x.lib: line 1 = library (x)" + legal);
  CHECK(message_of("library (x) {\n  area 3;\n}") ==
        "x.lib: line 2 = area 3; is illegal; legal: NAME : VALUE; or NAME (VALUES); or NAME "
        "(NAMES) { ... }");
  CHECK(message_of("library (x) {\n  cell (a) {\n") ==
        "x.lib: line 3 = end of file is illegal; legal: an attribute, a group, or the } that ends "
        "one");
  CHECK(message_of("library (x) {\n values (1, {) }") ==
        "x.lib: line 2 = {) } is illegal; legal: values in parentheses");
  CHECK(message_of("library (x) {\n a : \"b;\n }") ==
        "x.lib: line 2 = \"b; is illegal; legal: a text that ends: \"");
  CHECK(message_of("library (x) {\n\n /* a }") ==
        "x.lib: line 3 = /* a } is illegal; legal: a comment that ends: */");
  CHECK(message_of("library (x) { }\nlibrary (y) { }") ==
        "x.lib: line 2 = library (y) { } is illegal; legal: the end of the file after its one "
        "library");
}

TEST_CASE("liberty refused: groups in groups without end") {
  std::string text = "library (x) {";
  for (int i = 0; i < 100000; ++i) text += "a () {\n";
  CHECK(message_of(text) ==
        "x.lib: line 33 = { is illegal; legal: at most 32 groups in each other");
}

TEST_CASE("liberty refused: any part of a file, and random characters") {
  for (std::size_t size = 1; size < hand_library.size() - 2; size += 7)
    CHECK(message_of(hand_library.substr(0, size)) != "(accepted)");
  std::mt19937 random(1);  // its own figures, so that they are the same everywhere
  const std::string characters = "(){}:;,\"\\ \n/*!'abcpin01.-";
  for (int round = 0; round < 300; ++round) {
    std::string text = hand_library;
    for (int i = 0; i < 3; ++i)
      text[random() % text.size()] = characters[random() % characters.size()];
    CHECK(message_of(text).find('\n') == std::string::npos);
  }
}

TEST_CASE("liberty refused: what a power estimate needs is missing") {
  CHECK(message_of("library (x) { nom_voltage : 1; }") ==
        "x.lib: cells = none is illegal; legal: a library with cell groups");
  const std::string legal = " is illegal; legal: a library with a flip-flop (ff group)";
  CHECK(message_of(inverter_and("")) == "x.lib: flip-flops = none" + legal);
  CHECK(message_of(inverter_and(
            "cell (L) { area : 0; latch (IQ, IQN) { data_in : D; enable : E; } pin (D, E) "
            "{ direction : input; } }")) == "x.lib: flip-flops = none, only latches" + legal);
  CHECK(message_of(inverter_and(
            "cell (F) { area : 1; ff (IQ, IQN) { clocked_on : C; next_state : D; } pin "
            "(C, D) { direction : input; internal_power () { } } }")) ==
        "x.lib: power tables = none is illegal; legal: a library with power tables (internal_power "
        "groups)");
  CHECK(message_with("nom_voltage : 2;", "") ==
        "x.lib: nom_voltage = 0 is illegal; legal: more than 0 V");
}

TEST_CASE("liberty refused: expressions") {
  CHECK(message_with("\"A ^ B\"", "\"A ^ C\"") ==
        "x.lib: cell XOR pin Y function = A ^ C is illegal; legal: names of the cell's pins and "
        "state, not C");
  CHECK(message_with("\"A ^ B\"", "\"A ^ Y\"") ==
        "x.lib: cell XOR pin Y function = A ^ Y is illegal; legal: names of the cell's pins and "
        "state, not Y");
  CHECK(message_with("\"A ^ B\"", "\"A ^ (B\"") ==
        "x.lib: cell XOR pin Y function = A ^ (B is illegal; legal: a closing parenthesis for each "
        "opening one");
  CHECK(message_with("next_state : \"D\"", "next_state : \"E\"") ==
        "x.lib: cell DFF ff next_state = E is illegal; legal: names of the cell's pins and state, "
        "not E");
  CHECK(message_with("clocked_on : \"CK\";", "") ==
        "x.lib: cell DFF ff clocked_on =  is illegal; legal: an operand for each operator");
  CHECK(message_with("when : \"A B\"", "when : \"A Z\"") ==
        "x.lib: cell NAND leakage_power when = A Z is illegal; legal: names of the cell's pins and "
        "state, not Z");
  CHECK(
      message_with("when : \"!CK\"", "when : \"!C\"") ==
      "x.lib: cell DFF pin D internal_power when = !C is illegal; legal: names of the cell's pins "
      "and state, not C");
}

TEST_CASE("liberty refused: numbers, tables, units, pins") {
  const std::string amount = " is illegal; legal: a number, 0 or more";
  CHECK(message_with("area : 16", "area : 1x") == "x.lib: cell DFF area = 1x" + amount);
  CHECK(message_with("area : 16", "area : nan") == "x.lib: cell DFF area = nan" + amount);
  CHECK(message_with("area : 16", "area : -16") == "x.lib: cell DFF area = -16" + amount);
  CHECK(message_with("area : 16;", "") == "x.lib: cell DFF area = (absent)" + amount);
  CHECK(message_with("0.125", "-0.125") == "x.lib: cell BUF pin A capacitance = -0.125" + amount);
  CHECK(message_with("0.125", "inf") == "x.lib: cell BUF pin A capacitance = inf" + amount);
  CHECK(message_with("capacitance : 0.125;", "") ==
        "x.lib: cell BUF pin A capacitance = (absent)" + amount);
  CHECK(message_with("value : 6", "value : six") == "x.lib: cell DFF leakage_power = six" + amount);
  CHECK(message_with("value : 6", "value : -6") == "x.lib: cell DFF leakage_power = -6" + amount);
  CHECK(message_with("cell_leakage_power : 8", "cell_leakage_power : -8") ==
        "x.lib: cell NAND cell_leakage_power = -8" + amount);
  CHECK(message_with("default_cell_leakage_power : 16", "default_cell_leakage_power : nan") ==
        "x.lib: library default_cell_leakage_power = nan" + amount);
  CHECK(message_with("default_cell_leakage_power : 16;", "") ==
        "x.lib: cell XOR cell_leakage_power = (absent)" + amount);
  CHECK(message_with("rise_power (scalar) { values (\"1\"); }\n        fall",
                     "rise_power (scalar) { values (\"nan\"); }\n        fall") ==
        "x.lib: cell INV pin Y internal_power = nan is illegal; legal: a number");
  CHECK(message_with("rise_power (scalar) { values (\"1\"); }\n        fall",
                     "rise_power (scalar) { }\n        fall") ==
        "x.lib: cell INV pin Y internal_power = 0 values is illegal; legal: 1");
  CHECK(message_with("\"3, 5\", \"4, 8\"", "\"3, 5\", \"4\"") ==
        "x.lib: cell NAND pin Y internal_power = 3 values is illegal; legal: 4");
  CHECK(message_with("\"3, 5\", \"4, 8\"", "\"3, 5\", \"4, z\"") ==
        "x.lib: cell NAND pin Y internal_power = z is illegal; legal: a number");
  CHECK(message_with("load_slew) { values", "odd) { values") ==
        "x.lib: cell XOR pin Y internal_power = odd is illegal; legal: scalar, or the name of a "
        "power_lut_template group");
  CHECK(message_with("(slew) { variable_1 : input_transition_time; index_1 (\"0, 1\")",
                     "(slew) { variable_1 : input_transition_time; index_1 (\"1, 0\")") ==
        "x.lib: cell DFF pin CK internal_power = 1, 0 is illegal; legal: numbers that rise, in "
        "index_1");
  CHECK(message_with("(slew) { variable_1 : input_transition_time;",
                     "(slew) { variable_1 : temperature;") ==
        "x.lib: cell DFF pin CK internal_power = temperature is illegal; legal: a table over "
        "input_transition_time and total_output_net_capacitance");
  CHECK(message_with("\"1ns\"", "\"1 inch\"") ==
        "x.lib: time_unit = 1 inch is illegal; legal: a unit such as 1ns");
  CHECK(message_with("\"1uW\"", "\"0uW\"") ==
        "x.lib: leakage_power_unit = 0uW is illegal; legal: a unit such as 1nW");
  CHECK(message_with("(1, pf)", "(pf)") ==
        "x.lib: capacitive_load_unit = pf is illegal; legal: a unit such as 1pF");
  CHECK(
      message_with("pin (CK) {\n      direction : input", "pin (CK) {\n      direction : up") ==
      "x.lib: cell DFF pin CK direction = up is illegal; legal: input, output, inout or internal");
  CHECK(message_with("pin (CK) {", "pin (CK, D) {") ==
        "x.lib: cell DFF pin = D is illegal; legal: each pin once");
  CHECK(message_with("cell (BUF)", "cell (INV)") ==
        "x.lib: cell = INV is illegal; legal: each cell once");
  CHECK(message_with("related_pin : \"CK\"", "related_pin : \"CLK\"") ==
        "x.lib: cell DFF pin Q internal_power related_pin = CLK is illegal; legal: pins of the "
        "cell");
  const std::string name = " is illegal; legal: a name of printable characters";
  CHECK(message_with("cell (BUF)", "cell (\"B\nF\")") == "x.lib: cell = B?F" + name);
  CHECK(message_with("cell (BUF)", "cell ()") == "x.lib: cell = " + name);
  CHECK(message_with("library (hand)", "library (\"\x1b[2J\")") == "x.lib: library = ?[2J" + name);
  CHECK(message_with("pin (CK)", "pin (CK, \"\x7f\")") == "x.lib: cell DFF pin = ?" + name);
}
