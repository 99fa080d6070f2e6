// SPDX-License-Identifier: Apache-2.0
// What a liberty file says about its cells: functions, pins, power tables and leakage.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/gate/liberty/expression.hpp"

namespace td::gate {

/// Energy of one transition, pJ, over input slew (ns) and output load (pF). Either index may be
/// missing (empty): the table does not depend on it. Liberty's unit of energy is its unit of
/// voltage squared times that of capacitance.
struct EnergyTable {
  std::vector<double> slews_ns;
  std::vector<double> loads_pF;
  std::vector<double> energies_pJ;  ///< slews first: [slew * max(1, loads) + load]

  bool empty() const { return energies_pJ.empty(); }

  /// Bilinear; outside of the table its edge, never beyond. The table must not be empty.
  double at(double slew_ns, double load_pF) const;
};

/// One `internal_power` group of a pin. It may tell of one direction only.
struct InternalPower {
  std::vector<int> related_pins;  ///< empty: the pin itself
  std::optional<Expression> when;
  int rail = 0;      ///< index of its `related_pg_pin` in the cell: what rails spend adds up
  EnergyTable rise;  ///< of the pin that the group belongs to; empty: nothing said
  EnergyTable fall;
};

enum class PinDirection { input, output };

struct Pin {
  std::string name;
  PinDirection direction = PinDirection::input;
  bool clock = false;
  double capacitance_pF = 0;
  double max_capacitance_pF = 0;  ///< that an output may drive; 0: the library does not say
  Expression function;  ///< of an output, naming inputs and state; empty for inputs, for outputs
                        ///< without one (state tables) and for those that may float (three-state)
  std::vector<InternalPower> internal_power;
};

/// A flip-flop's `ff` group, or a latch's. Asynchronous clear and preset are active where the
/// expression is true.
struct FlipFlop {
  bool is_latch = false;  ///< follows next_state while clocked_on is true
  Expression clocked_on;  ///< true after the edge that loads, or opens a latch
  Expression next_state;
  Expression clear;              ///< empty: none
  Expression preset;             ///< empty: none
  bool state_when_both = false;  ///< the state while both are true
};

/// A `leakage_power` group with a condition.
struct Leakage {
  Expression when;
  int rail = 0;  ///< as in InternalPower
  double power_uW = 0;
};

struct Cell {
  std::string name;
  double area = 0;  ///< the library's unit; µm² in all that we know
  std::vector<Pin> pins;
  std::optional<FlipFlop> flip_flop;
  bool other_state = false;  ///< keeps a state that is not one flip-flop's or latch's (state table,
                             ///< several, two enables): not simulated
  double leakage_uW = 0;     ///< in states that no group below names
  std::vector<Leakage> leakages;

  int pin(std::string_view pin_name) const;  ///< index, or -1
};

struct Library {
  std::string name;
  std::string path;
  std::string corner;  ///< default operating conditions, else "P_V_T" from the nominal values
  double voltage_V = 0;
  std::vector<Cell> cells;

  const Cell* find(std::string_view cell_name) const;
  int index(std::string_view cell_name) const;  ///< or -1
};

/// Its output repeats its one input.
bool is_buffer(const Cell& cell);

/// What a library is read for: power needs internal_power tables, synthesis delays.
enum class LibraryUse { power, synthesis };

/// The text of a liberty file. Throws UserError.
std::string liberty_text(const std::string& path);

/// The library that is the text of the file `path`. Cells with buses, bundles or bidirectional pins
/// are left out. Throws UserError: not liberty (with the line), no cell, no flip-flop, latches
/// only, no tables for its use, a function that names no pin, a table or unit that cannot be
/// understood, a name that cannot be printed.
Library parse_library(std::string_view text, const std::string& path,
                      LibraryUse use = LibraryUse::power);

/// The same of a file, for power.
Library read_liberty(const std::string& path);

}  // namespace td::gate
