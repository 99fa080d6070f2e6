// SPDX-License-Identifier: Apache-2.0
// Figures that depend on the state of a cell's pins, and their means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"

namespace td::gate {

/// A number for each state of a cell as far as some conditions tell states apart. What makes up a
/// state are variables: the cell's inputs and its flip-flop's state, as well as outputs without a
/// function; other outputs follow from them. Variable `v` is pin `v`, and the flip-flop's state is
/// variable `pins.size()`.
class StateTable {
 public:
  /// For more variables a table would be too large.
  static constexpr std::size_t max_variables = 16;

  /// The variables of these conditions, ascending.
  static std::vector<int> variables(const Cell& cell,
                                    const std::vector<const Expression*>& conditions);

  /// All numbers zero; at most max_variables of variables().
  StateTable(const Cell& cell, std::vector<int> variables);

  /// Adds to the number of every state in which the condition is true.
  void add(const Expression& condition, double number);

  /// Adds to the number of every state in which no condition of add() was.
  void add_elsewhere(double number);

  /// The mean when variable `v` is one with probability `ones[v]`, independent of the others.
  double mean(const double* ones) const;

 private:
  void set_variables(std::size_t word);

  const Cell* cell_;
  std::vector<int> variables_;
  std::vector<double> numbers_;          ///< bit i of a state's index: variables_[i]
  std::vector<std::uint64_t> named_;     ///< bit per state: a condition of add() was true
  std::vector<std::uint64_t> pin_bits_;  ///< the 64 states of a word: by variable
};

}  // namespace td::gate
