// SPDX-License-Identifier: Apache-2.0
// What a gate of a cell spends inside it, prepared so that millions of gates can be asked.
#pragma once

#include <optional>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/power/state_table.hpp"

namespace td::gate {

/// What the pins of a gate do, by pin of its cell.
struct PinActivity {
  std::vector<double> toggles;   ///< per clock
  std::vector<double> ones;      ///< share of the time; after the pins, the flip-flop's state
  std::vector<double> slews_ns;  ///< of inputs
  std::vector<double> loads_pF;  ///< of outputs

  /// Room for cells of at most this many pins.
  explicit PinActivity(std::size_t pins);
};

/// Internal energy and leakage of one cell.
///
/// An output spends in each toggle the mean of its rise and its fall energy, as many being up as
/// down, at the slew of the related pin and its own load. Where several groups of liberty, or
/// several related pins, tell of the output, each counts in proportion to the toggles of its
/// related pin times the probability of its condition, equally if all of these are zero; what
/// different rails spend adds up. An input spends in each of its toggles the mean energy of each of
/// its groups times the probability of its condition. Pins are taken to be independent.
class CellPower {
 public:
  /// The cell must outlive it. Throws UserError, naming the library's file `path`, for conditions
  /// on more pins than StateTable has.
  CellPower(const Cell& cell, const std::string& path);

  /// pJ in a clock.
  double internal_pJ(const PinActivity& activity) const;

  /// By the probability of the states that liberty names, and its figure for the rest.
  double leakage_uW(const PinActivity& activity) const;

  /// Outputs that show the flip-flop's state, or its inverse.
  struct StateOutput {
    std::size_t pin;
    bool inverted;
  };
  const std::vector<StateOutput>& state_outputs() const { return state_outputs_; }

 private:
  /// An internal_power group seen from one related pin.
  struct Source {
    std::size_t related;
    std::size_t when;  ///< in conditions_
    const InternalPower* power;
  };
  /// What is said of one pin, for outputs by one rail.
  struct Spender {
    std::size_t pin;
    std::vector<Source> sources;
  };

  StateTable table(const std::vector<const Expression*>& conditions) const;
  void add_pin(std::size_t pin);
  double probability(const Source& source, const PinActivity& activity) const;
  double input_pJ(const Spender& input, const PinActivity& activity) const;
  double output_pJ(const Spender& output, const PinActivity& activity) const;

  const Cell* cell_;
  const std::string* path_;
  std::vector<StateTable> conditions_;
  std::vector<Spender> inputs_;
  std::vector<Spender> outputs_;
  std::optional<StateTable> leakage_uW_;
  std::vector<StateOutput> state_outputs_;
};

}  // namespace td::gate
