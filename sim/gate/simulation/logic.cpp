// SPDX-License-Identifier: Apache-2.0
// Conversion and evaluation of Boolean functions in postfix order.
#include "sim/gate/simulation/logic.hpp"

#include <algorithm>

namespace td::gate {

namespace {

using Op = Expression::Op;

bool is_operand(Op op) { return op == Op::pin || op == Op::zero || op == Op::one; }

void append(Expression& to, const Expression& from) {
  to.terms.insert(to.terms.end(), from.terms.begin(), from.terms.end());
}

}  // namespace

Logic to_logic(const Expression& expression) {
  Logic logic;
  const auto input = [&logic](int pin) {
    const auto found = std::find(logic.inputs.begin(), logic.inputs.end(), pin);
    const auto number = static_cast<int>(found - logic.inputs.begin());
    if (found == logic.inputs.end()) logic.inputs.push_back(pin);
    return number;
  };
  std::vector<Expression::Term>& terms = logic.expression.terms;
  for (const Expression::Term& term : expression.terms) {
    if (term.op == Op::pin) {
      terms.push_back({Op::pin, input(term.pin)});
    } else if (term.op == Op::state || term.op == Op::inverted_state) {
      terms.push_back({Op::pin, input(state_input)});
      if (term.op == Op::inverted_state) terms.push_back({Op::not_});
    } else {
      terms.push_back(term);
    }
  }
  return logic;
}

Logic with_asynchronous(const Expression& next, const FlipFlop& flip_flop) {
  Expression all = next;
  const auto clear = [&all, &flip_flop] {
    if (flip_flop.clear.empty()) return;
    append(all, flip_flop.clear);
    all.terms.push_back({Op::not_});
    all.terms.push_back({Op::and_});
  };
  const auto preset = [&all, &flip_flop] {
    if (flip_flop.preset.empty()) return;
    append(all, flip_flop.preset);
    all.terms.push_back({Op::or_});
  };
  if (flip_flop.state_when_both) {
    clear();
    preset();
  } else {
    preset();
    clear();
  }
  return to_logic(all);
}

std::uint64_t truth_table(const Expression& expression) {
  constexpr std::uint64_t columns[max_table_inputs] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                                       0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                                       0xffff0000ffff0000, 0xffffffff00000000};
  return evaluate(expression, columns, 0);
}

int stack_depth(const Expression& expression) {
  int depth = 0;
  int most = 0;
  for (const Expression::Term& term : expression.terms) {
    if (is_operand(term.op)) most = std::max(most, ++depth);
    if (term.op == Op::and_ || term.op == Op::or_ || term.op == Op::xor_) --depth;
  }
  return most;
}

}  // namespace td::gate
