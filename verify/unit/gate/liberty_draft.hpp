// SPDX-License-Identifier: Apache-2.0
// Liberty files for tests.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "sim/gate/liberty/liberty.hpp"

namespace td::unit {

/// A library whose figures are all small multiples of powers of two, so that arithmetic with them
/// is exact. It counts in ns, pF, V and µW; its figures are pJ, for 1 V * 1 V * 1 pF is one.
inline const std::string hand_library = R"lib(
library (hand) {
  time_unit : "1ns"; voltage_unit : "1V"; leakage_power_unit : "1uW";
  capacitive_load_unit (1, pf);
  nom_process : 1; nom_voltage : 2; nom_temperature : 25;
  default_cell_leakage_power : 16;
  power_lut_template (slew) { variable_1 : input_transition_time; index_1 ("0, 1"); }
  power_lut_template (slew_load) {
    variable_1 : input_transition_time; variable_2 : total_output_net_capacitance;
    index_1 ("0, 1"); index_2 ("0, 1");
  }
  power_lut_template (load_slew) {
    variable_1 : total_output_net_capacitance; variable_2 : input_transition_time;
    index_1 ("0, 1"); index_2 ("0, 1");
  }
  cell (NAND) {
    area : 4; cell_leakage_power : 8;
    leakage_power () { when : "!A !B"; value : 1; }
    leakage_power () { when : "A B"; value : 4; }
    pin (A) { direction : input; capacitance : 0.25; }
    pin (B) { direction : input; capacitance : 0.5; }
    pin (Y) {
      direction : output; function : "!(A B)";
      internal_power () {
        related_pin : "A";
        rise_power (slew_load) { values ("1, 3", "2, 4"); }
        fall_power (slew_load) { values ("3, 5", "4, 8"); }
      }
      internal_power () { related_pin : "B"; power (scalar) { values ("2"); } }
    }
  }
  cell (INV) {
    area : 2; cell_leakage_power : 2;
    pin (A) { direction : input; capacitance : 0.25; }
    pin (Y) {
      direction : output; function : "A'";
      internal_power () {
        related_pin : "A";
        rise_power (scalar) { values ("1"); }
        fall_power (scalar) { values ("0.5"); }
      }
    }
  }
  cell (XOR) {
    area : 8;
    pin (A) { direction : input; capacitance : 0.5; }
    pin (B) { direction : input; capacitance : 0.25; }
    pin (Y) {
      direction : output; function : "A ^ B";
      internal_power () {
        related_pin : "A"; when : "B"; power (load_slew) { values ("1, 2", "3, 4"); }
      }
      internal_power () { related_pin : "A"; when : "!B"; power (scalar) { values ("4"); } }
      internal_power () { related_pin : "B"; rise_power (scalar) { values ("1"); } }
      internal_power () { related_pin : "B"; fall_power (scalar) { values ("3"); } }
    }
  }
  cell (DFF) {
    area : 16; cell_leakage_power : 1;
    leakage_power () { when : "Q"; value : 2; }
    leakage_power () { when : "!Q"; value : 6; }
    ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; }
    pin (CK) {
      direction : input; capacitance : 0.25; clock : true;
      internal_power () {
        rise_power (slew) { values ("1, 2"); }
        fall_power (slew) { values ("0, 1"); }
      }
    }
    pin (D) {
      direction : input; capacitance : 0.25;
      internal_power () { when : "!CK"; power (scalar) { values ("2"); } }
    }
    pin (Q) {
      direction : output; function : "IQ";
      internal_power () {
        related_pin : "CK";
        rise_power (scalar) { values ("2"); }
        fall_power (scalar) { values ("4"); }
      }
    }
  }
  cell (BUF) {
    area : 3; cell_leakage_power : 1;
    pin (A) { direction : input; capacitance : 0.125; }
    pin (Y) {
      direction : output; function : "A";
      internal_power () {
        related_pin : "A"; power (slew_load) { values ("0, 1", "0.5, 1.5"); }
      }
    }
  }
}
)lib";

/// The one occurrence of `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(from, at + 1) == std::string::npos);
  return text.replace(at, from.size(), to);
}

/// A text as the library of a file `x.lib`.
inline gate::Library library_of(const std::string& text) {
  return gate::parse_library(text, "x.lib");
}

}  // namespace td::unit
