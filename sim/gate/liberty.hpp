// SPDX-License-Identifier: Apache-2.0
// What a liberty file says about its cells: functions, pins, power tables and leakage.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace td::gate {

/// Boolean function of a cell's pins and state in postfix order.
struct Expression {
  enum class Op { pin, state, inverted_state, not_, and_, or_, xor_, zero, one };
  struct Term {
    Op op;
    int pin = -1;  ///< index in Cell::pins, for Op::pin
  };
  std::vector<Term> terms;

  bool empty() const { return terms.empty(); }
};

/// Energy of one transition, pJ, over input slew (ns) and output load (pF). Either index may be
/// missing (empty): the table does not depend on it.
struct EnergyTable {
  std::vector<double> slews_ns;
  std::vector<double> loads_pF;
  std::vector<double> energies_pJ;  ///< slews first: [slew * max(1, loads) + load]

  /// Bilinear; outside of the table its edge, never beyond.
  double at(double slew_ns, double load_pF) const;
};

/// One `internal_power` group of a pin.
struct InternalPower {
  std::vector<int> related_pins;  ///< empty: the pin itself
  std::optional<Expression> when;
  EnergyTable rise;  ///< of the pin that the group belongs to
  EnergyTable fall;
};

enum class PinDirection { input, output };

struct Pin {
  std::string name;
  PinDirection direction = PinDirection::input;
  bool clock = false;
  double capacitance_pF = 0;
  Expression function;  ///< of an output; empty for inputs
  std::vector<InternalPower> internal_power;
};

/// A flip-flop's `ff` group. Asynchronous clear and preset are active where the expression is true.
struct FlipFlop {
  Expression clocked_on;  ///< true after the edge that loads
  Expression next_state;
  Expression clear;   ///< empty: none
  Expression preset;  ///< empty: none
};

struct Leakage {
  std::optional<Expression> when;
  double power_uW = 0;
};

struct Cell {
  std::string name;
  double area = 0;  ///< the library's unit; µm² in all that we know
  std::vector<Pin> pins;
  std::optional<FlipFlop> flip_flop;
  bool latch = false;     ///< has a `latch` group, or a state table: not simulated
  double leakage_uW = 0;  ///< where no group below applies
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

/// Reads a liberty file. Throws UserError: not liberty (with the line), no cell, no flip-flop,
/// latches only, no power tables, a function that names no pin.
Library read_liberty(const std::string& path);

}  // namespace td::gate
