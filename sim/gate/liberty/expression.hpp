// SPDX-License-Identifier: Apache-2.0
// Boolean expressions of liberty files: functions and conditions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
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

/// Operands that wait while an expression of parse_expression() is evaluated, at most.
constexpr std::size_t max_waiting_operands = 128;

/// What is wrong with the text of an expression; what() says what would be legal.
class ExpressionError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The term that a name stands for (Op::pin, state or inverted_state), or nothing.
using NameFinder = std::function<std::optional<Expression::Term>(std::string_view)>;

/// Reads liberty's notation, tightest first: `!A` and `A'`, `A ^ B`, `A * B` (also `A & B` and
/// `A B`), `A + B` (also `A | B`); parentheses, 0 and 1. Throws ExpressionError.
Expression parse_expression(std::string_view text, const NameFinder& find);

/// The value in 64 cases at once; `pins` has a word for each pin of the cell. The expression must
/// not be empty.
std::uint64_t evaluate(const Expression& expression, const std::uint64_t* pins,
                       std::uint64_t state);

}  // namespace td::gate
