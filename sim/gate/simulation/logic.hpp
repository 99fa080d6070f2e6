// SPDX-License-Identifier: Apache-2.0
// Boolean functions as the simulator wants them: of numbered inputs, the state being one of them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/gate/liberty/liberty.hpp"

namespace td::gate {

/// Stands for the state of a flip-flop among the inputs of a function.
constexpr int state_input = -1;

/// A function of inputs 0, 1, …; only pin, not_, and_, or_, xor_, zero and one occur in it.
struct Logic {
  Expression expression;    ///< Term::pin is the number of an input
  std::vector<int> inputs;  ///< the cell's pin, or state_input, for each: none twice
};

/// From a cell's expression.
Logic to_logic(const Expression& expression);

/// `next` unless an asynchronous clear or preset is active.
Logic with_asynchronous(const Expression& next, const FlipFlop& flip_flop);

/// Largest number of inputs that a truth table here has.
constexpr int max_table_inputs = 6;

/// Bit i is the function's value where input k is bit k of i. At most max_table_inputs inputs; of
/// fewer, the table is repeated.
std::uint64_t truth_table(const Expression& expression);

/// Operands that are open at once while the expression is evaluated.
int stack_depth(const Expression& expression);

}  // namespace td::gate
