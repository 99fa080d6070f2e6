// SPDX-License-Identifier: Apache-2.0
// The liberty reader: what it makes of files as foundries and universities write them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/liberty/liberty_json.hpp"
#include "verify/unit/gate/liberty_draft.hpp"

namespace {

using td::gate::Cell;
using td::gate::EnergyTable;
using td::gate::Library;
using td::gate::Pin;
using td::gate::postfix;
using td::unit::hand_library;
using td::unit::library_of;

const char* const osu018 = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

const Cell& cell_of(const Library& library, const std::string& name) {
  const Cell* cell = library.find(name);
  REQUIRE(cell != nullptr);
  return *cell;
}

const Pin& pin_of(const Cell& cell, const std::string& name) {
  REQUIRE(cell.pin(name) >= 0);
  return cell.pins[static_cast<std::size_t>(cell.pin(name))];
}

/// A library with a flip-flop, a power table and this.
std::string library_with(const std::string& header, const std::string& cell) {
  return "library (x) { nom_voltage : 1; default_input_pin_cap : 1; default_cell_leakage_power : "
         "1; " +
         header +
         "cell (DFF) { area : 1; ff (IQ, IQN) { clocked_on : CK; next_state : D; } pin (CK) { "
         "direction : "
         "input; internal_power () { power (scalar) { values (\"1\"); } } } pin (D) { direction : "
         "input; } pin (Q) { direction : output; function : IQ; } }" +
         cell + "}";
}

}  // namespace

TEST_CASE("liberty: the library by hand") {
  const Library library = library_of(hand_library);
  CHECK(library.name == "hand");
  CHECK(library.corner == "1_2_25");
  CHECK(library.voltage_V == 2);
  CHECK(library.cells.size() == 5);
  CHECK(library.index("INV") == 1);
  CHECK(library.index("NOR") == -1);
  CHECK(library.find("NOR") == nullptr);

  const Cell& nand = cell_of(library, "NAND");
  CHECK(nand.area == 4);
  CHECK(nand.leakage_uW == 8);
  REQUIRE(nand.leakages.size() == 2);
  CHECK(postfix(nand, nand.leakages[0].when) == "A ! B ! *");
  CHECK(nand.leakages[0].power_uW == 1);
  CHECK(pin_of(nand, "B").capacitance_pF == 0.5);
  CHECK(postfix(nand, pin_of(nand, "Y").function) == "A B * !");
  REQUIRE(pin_of(nand, "Y").internal_power.size() == 2);
  CHECK(pin_of(nand, "Y").internal_power[1].related_pins == std::vector<int>{1});
  CHECK(cell_of(library, "XOR").leakage_uW == 16);

  const Cell& dff = cell_of(library, "DFF");
  REQUIRE(dff.flip_flop);
  CHECK(postfix(dff, dff.flip_flop->clocked_on) == "CK");
  CHECK(postfix(dff, dff.flip_flop->next_state) == "D");
  CHECK(dff.flip_flop->clear.empty());
  CHECK(pin_of(dff, "CK").clock);
  CHECK_FALSE(pin_of(dff, "D").clock);
}

TEST_CASE("liberty: osu018") {
  const Library library = td::gate::read_liberty(osu018);
  CHECK(library.name == "osu018_stdcells");
  CHECK(library.corner == "typical");
  CHECK(library.voltage_V == 1.8);
  CHECK(library.cells.size() == 32);

  const Cell& gate = cell_of(library, "AND2X1");
  CHECK(gate.area == 32);
  CHECK(gate.leakage_uW == doctest::Approx(0.0746794e-3).epsilon(1e-15));
  CHECK(pin_of(gate, "A").capacitance_pF == 0.0129077);
  CHECK(postfix(gate, pin_of(gate, "Y").function) == "A B *");
  const EnergyTable& table = pin_of(gate, "Y").internal_power[0].rise;
  CHECK(table.slews_ns == std::vector<double>{0.06, 0.18, 0.42, 0.6, 1.2});
  CHECK(table.loads_pF == std::vector<double>{0.005, 0.0125, 0.025, 0.075, 0.15});
  CHECK(table.at(0.18, 0.005) == 0.01753);  // the file's second number: it has loads first
  CHECK(table.at(0.06, 0.0125) == 0.013339);

  const Cell& dffsr = cell_of(library, "DFFSR");
  REQUIRE(dffsr.flip_flop);
  CHECK(postfix(dffsr, dffsr.flip_flop->clear) == "R !");
  CHECK(postfix(dffsr, dffsr.flip_flop->preset) == "S !");
  CHECK_FALSE(dffsr.flip_flop->state_when_both);
  CHECK(pin_of(dffsr, "Q").internal_power.size() == 3);
  CHECK(pin_of(dffsr, "Q").internal_power[2].rise.at(0.06, 0.1) == 0.15628);  // `power`: both
  CHECK(pin_of(dffsr, "Q").internal_power[2].fall.at(0.06, 0.1) == 0.15628);

  const Cell& falling = cell_of(library, "DFFNEGX1");
  CHECK(postfix(falling, falling.flip_flop->clocked_on) == "CLK !");
  CHECK_FALSE(falling.flip_flop->is_latch);
  const Cell& latch = cell_of(library, "LATCH");
  CHECK(latch.flip_flop->is_latch);
  CHECK(postfix(latch, latch.flip_flop->clocked_on) == "CLK");
  CHECK(postfix(latch, latch.flip_flop->next_state) == "D");
  const Cell& floating = cell_of(library, "TBUFX1");
  CHECK(pin_of(floating, "Y").function.empty());
}

TEST_CASE("liberty: look-ups are bilinear, and clamped at the table's edge") {
  const EnergyTable table{{1, 2, 4}, {10, 20}, {1, 3, 5, 7, 9, 15}};
  CHECK(table.at(1, 10) == 1);
  CHECK(table.at(4, 20) == 15);
  CHECK(table.at(1.5, 10) == 3);
  CHECK(table.at(1, 15) == 2);
  CHECK(table.at(3, 12.5) == 0.75 * 7 + 0.25 * 11);
  CHECK(table.at(0, 0) == 1);
  CHECK(table.at(0, 15) == 2);
  CHECK(table.at(9, 15) == 12);
  CHECK(table.at(1.5, 99) == 5);
  CHECK(EnergyTable{{1, 3}, {}, {2, 4}}.at(2, 99) == 3);
  CHECK(EnergyTable{{}, {1, 3}, {2, 4}}.at(99, 1.5) == 2.5);
  CHECK(EnergyTable{{}, {}, {7}}.at(99, 99) == 7);
}

TEST_CASE("liberty: units") {
  const std::string cell =
      "cell (C) { area : 1; cell_leakage_power : 3; pin (A) { direction : input; capacitance : 5; "
      "internal_power () { power (t) { values (\"1, 2\"); } } } }";
  const std::string pattern =
      "power_lut_template (t) { variable_1 : input_transition_time; index_1 (\"10, 20\"); } ";
  const auto read = [&](const std::string& units) {
    return cell_of(library_of(library_with(units + pattern, cell)), "C");
  };
  const Cell small = read(
      "time_unit : \"1ps\"; voltage_unit : \"100mV\"; leakage_power_unit : \"10pW\"; "
      "capacitive_load_unit (2, ff); ");
  CHECK(pin_of(small, "A").capacitance_pF == 0.01);
  CHECK(small.leakage_uW == 0.00003);
  CHECK(pin_of(small, "A").internal_power[0].rise.slews_ns == std::vector<double>{0.01, 0.02});
  // 100 mV * 100 mV * 2 fF = 0.02 fJ
  CHECK(pin_of(small, "A").internal_power[0].rise.energies_pJ ==
        std::vector<double>{0.00002, 0.00004});

  const Cell missing = read("");
  CHECK(pin_of(missing, "A").capacitance_pF == 5);
  CHECK(missing.leakage_uW == 0.003);
  CHECK(pin_of(missing, "A").internal_power[0].rise.slews_ns == std::vector<double>{10, 20});
  CHECK(pin_of(missing, "A").internal_power[0].rise.energies_pJ == std::vector<double>{1, 2});

  const Cell large = read("leakage_power_unit : 1mW; capacitive_load_unit (0.5, \"nF\");");
  CHECK(large.leakage_uW == 3000);
  CHECK(pin_of(large, "A").capacitance_pF == 2500);
}

TEST_CASE("liberty: notation as files have it") {
  const Library library = library_of(
      "/* a comment */ library ( \"x\" ){ // another\n"
      "  nom_voltage:0.7 ;  default_operating_conditions : \"slow\" ;\n"
      "  define (a, cell, string) ; date : \"; } {\" ; default_input_pin_cap : 0.5;\n"
      "  operating_conditions (\"slow\") { voltage : 0.63\n process : 1 }\n"
      "  operating_conditions ( fast ) { voltage : 9 ; }\n"
      "  power_lut_template(t){variable_1:input_transition_time;variable_2 : "
      "total_output_net_capacitance;index_1(\"1,2\");index_2(\"3 4 5\");}\n"
      "  cell(\"F\") { area : \"2.5\" cell_leakage_power : 0; dont_touch : true; ff(\"IQ\" , "
      "\"IQ_N\") {\n"
      "      clocked_on : \"!CKN\"; next_state : (D & E) | (IQ & !E) ;\n"
      "      clear : R; preset : \"S\"; clear_preset_var1 : H; clear_preset_var2 : L; };\n"
      "    pg_pin (VDD) { pg_type : primary_power; }\n"
      "    pin (CKN, D, E) { direction : \"input\"; }\n"
      "    pin (R) { direction : input; capacitance : +1.5e-1; } pin (S) { direction : input }\n"
      "    pin (Q) { direction : output; function : \"IQ\"\n internal_power () {\n"
      "      related_pin : \"CKN R\" ; related_pg_pin : VDD;\n"
      "      rise_power (t) { index_1 (\"1, \\\n 4\"); values (\"1, 2, 3\", \\\n"
      "        \"4, \\\n 5, 6\"); }\n      fall_power (scalar) { values (7) ; } }\n"
      "      internal_power () { related_pin : R; related_pg_pin : VSS; power () { values (\"8\"); "
      "} } }\n"
      "    pin (QN) { direction : output; function : IQ_N; }\n"
      "    test_cell () { ff (IQ, IQ_N) { clocked_on : CKN; next_state : NONE; } }\n  }\n}\n");
  CHECK(library.name == "x");
  CHECK(library.corner == "slow");
  CHECK(library.voltage_V == 0.63);
  const Cell& cell = cell_of(library, "F");
  CHECK(cell.area == 2.5);
  CHECK(cell.pins.size() == 7);
  REQUIRE(cell.flip_flop);
  CHECK(postfix(cell, cell.flip_flop->clocked_on) == "CKN !");
  CHECK(postfix(cell, cell.flip_flop->next_state) == "D E * IQ E ! * +");
  CHECK(postfix(cell, cell.flip_flop->clear) == "R");
  CHECK(postfix(cell, cell.flip_flop->preset) == "S");
  CHECK(cell.flip_flop->state_when_both);
  CHECK(pin_of(cell, "E").capacitance_pF == 0.5);
  CHECK(pin_of(cell, "R").capacitance_pF == 0.15);
  CHECK(postfix(cell, pin_of(cell, "QN").function) == "IQN");
  const auto& powers = pin_of(cell, "Q").internal_power;
  REQUIRE(powers.size() == 2);
  CHECK(powers[0].related_pins == std::vector<int>{cell.pin("CKN"), cell.pin("R")});
  CHECK(powers[0].rail == 0);
  CHECK(powers[1].rail == 1);
  CHECK(powers[0].rise.slews_ns == std::vector<double>{1, 4});
  CHECK(powers[0].rise.loads_pF == std::vector<double>{3, 4, 5});
  CHECK(powers[0].rise.energies_pJ == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(powers[0].fall.at(0, 0) == 7);
}

TEST_CASE("liberty: cells that are not for us") {
  const Library library = library_of(library_with(
      "",
      "cell (BUS) { bus (D) { } pin (Q) { function : nothing; } }"
      "cell (PAD) { pin (P) { direction : inout; } }"
      "cell (FILL) { area : 1; }"
      "cell (GATE) { area : 1; statetable (\"CK E\", \"M0\") { table : \"L L : - : L\"; } "
      "leakage_power () { when : \"CK * M0\"; value : 1; } "
      "pin (CK, E) { direction : input; } pin (M0) { direction : internal; } "
      "pin (G) { direction : output; state_function : \"CK * M0\"; } }"
      "cell (SET) { area : 1; latch (A, AN) { clear : C; preset : P; } "
      "pin (C, P) { direction : input; } }"
      "cell (TWO) { area : 1; ff (A, AN) { clocked_on : CK; next_state : D; } "
      "ff (B, BN) { clocked_on : CK; next_state : D; } pin (CK) { direction : input; } }"));
  CHECK(library.find("BUS") == nullptr);
  CHECK(library.find("PAD") == nullptr);
  CHECK(cell_of(library, "FILL").pins.empty());
  const Cell& gate = cell_of(library, "GATE");
  CHECK(gate.other_state);
  CHECK(gate.pins.size() == 3);
  CHECK(gate.leakages[0].when.terms[1].op == td::gate::Expression::Op::state);
  CHECK(cell_of(library, "SET").other_state);
  CHECK(cell_of(library, "TWO").other_state);
  CHECK_FALSE(cell_of(library, "TWO").flip_flop);
}

TEST_CASE("liberty: leakage without a condition is that of all states not named") {
  const Library library = library_of(
      library_with("leakage_power_unit : 1uW; ",
                   "cell (C) { area : 1; cell_leakage_power : 9; pin (A) { direction : input; } "
                   "leakage_power () { when : A; related_pg_pin : VDD; value : \"1\"; } "
                   "leakage_power () { when : A; related_pg_pin : VSS; value : \"2\"; } "
                   "leakage_power () { value : 4; related_pg_pin : VDD; } "
                   "leakage_power () { value : 8; related_pg_pin : VSS; } }"));
  const Cell& cell = cell_of(library, "C");
  CHECK(cell.leakage_uW == 12);
  REQUIRE(cell.leakages.size() == 2);
  CHECK(cell.leakages[0].rail == 0);
  CHECK(cell.leakages[1].rail == 1);
}
