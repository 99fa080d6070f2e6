// SPDX-License-Identifier: Apache-2.0
// Conversion and evaluation of Boolean functions in postfix order.
#include "sim/gate/logic.hpp"

#include <algorithm>
#include <stdexcept>

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
  if (!flip_flop.preset.empty()) {
    append(all, flip_flop.preset);
    all.terms.push_back({Op::or_});
  }
  if (!flip_flop.clear.empty()) {
    append(all, flip_flop.clear);
    all.terms.push_back({Op::not_});
    all.terms.push_back({Op::and_});
  }
  return to_logic(all);
}

std::uint64_t truth_table(const Expression& expression) {
  constexpr Word columns[max_table_inputs] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                              0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                              0xffff0000ffff0000, 0xffffffff00000000};
  return evaluate(expression, columns);
}

Word evaluate(const Expression& expression, const Word* inputs) {
  constexpr int room = 64;
  Word stack[room];
  int top = -1;
  if (stack_depth(expression) > room) throw std::length_error("expression nests too deeply");
  for (const Expression::Term& term : expression.terms) {
    switch (term.op) {
      case Op::zero: stack[++top] = 0; break;
      case Op::one: stack[++top] = ~Word{0}; break;
      case Op::not_: stack[top] = ~stack[top]; break;
      case Op::and_: --top, stack[top] &= stack[top + 1]; break;
      case Op::or_: --top, stack[top] |= stack[top + 1]; break;
      case Op::xor_: --top, stack[top] ^= stack[top + 1]; break;
      default: stack[++top] = inputs[term.pin];
    }
  }
  return stack[0];
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
