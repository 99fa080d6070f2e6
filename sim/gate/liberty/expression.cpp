// SPDX-License-Identifier: Apache-2.0
// Boolean expressions of liberty files: recursive descent to postfix, and evaluation.
#include "sim/gate/liberty/expression.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>

namespace td::gate {

namespace {

using Op = Expression::Op;

bool is_blank(char c) { return c == '\\' || std::isspace(static_cast<unsigned char>(c)) != 0; }

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_[].$").find(c) != std::string_view::npos;
}

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const NameFinder& find) : rest_(text), find_(&find) {}

  Expression parse() {
    parse_or();
    if (!rest_.empty()) throw ExpressionError("operators ! ' ^ * & + |, parentheses, 0, 1, names");
    return std::move(expression_);
  }

 private:
  char next() {
    while (!rest_.empty() && is_blank(rest_[0])) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_[0];
  }

  bool take(char c) {
    if (next() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void emit(Op op, int pin = -1) { expression_.terms.push_back({op, pin}); }

  void parse_or() {
    parse_and();
    while (take('+') || take('|')) {
      parse_and();
      emit(Op::or_);
    }
  }

  void parse_and() {
    parse_xor();
    while (take('*') || take('&') || next() == '!' || next() == '(' || is_name(next())) {
      parse_xor();
      emit(Op::and_);
    }
  }

  void parse_xor() {
    parse_inverted();
    while (take('^')) {
      parse_inverted();
      emit(Op::xor_);
    }
  }

  void parse_inverted() {
    bool inverted = false;
    while (take('!')) inverted = !inverted;
    parse_operand();
    while (take('\'')) inverted = !inverted;
    if (inverted) emit(Op::not_);
  }

  void parse_operand() {
    if (!take('(')) return parse_name();
    // Each level leaves three operands waiting at most: of an or, an and, an xor.
    constexpr std::size_t max_depth = (max_waiting_operands - 4) / 3;
    if (++depth_ > max_depth) {
      throw ExpressionError(fmt::format("at most {} parentheses in each other", max_depth));
    }
    parse_or();
    if (!take(')')) throw ExpressionError("a closing parenthesis for each opening one");
    --depth_;
  }

  void parse_name() {
    next();
    std::size_t length = 0;
    while (length < rest_.size() && is_name(rest_[length])) ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (name.empty()) throw ExpressionError("an operand for each operator");
    if (name == "0") return emit(Op::zero);
    if (name == "1") return emit(Op::one);
    const std::optional<Expression::Term> term = (*find_)(name);
    if (!term)
      throw ExpressionError(fmt::format("names of the cell's pins and state, not {}", name));
    emit(term->op, term->pin);
  }

  std::string_view rest_;
  const NameFinder* find_;
  Expression expression_;
  std::size_t depth_ = 0;
};

}  // namespace

Expression parse_expression(std::string_view text, const NameFinder& find) {
  return ExpressionParser(text, find).parse();
}

std::uint64_t evaluate(const Expression& expression, const std::uint64_t* pins,
                       std::uint64_t state) {
  std::array<std::uint64_t, max_waiting_operands> stack;
  std::size_t size = 0;
  for (const Expression::Term& term : expression.terms) {
    switch (term.op) {
      case Op::pin:
        stack[size++] = pins[term.pin];
        break;
      case Op::state:
        stack[size++] = state;
        break;
      case Op::inverted_state:
        stack[size++] = ~state;
        break;
      case Op::zero:
        stack[size++] = 0;
        break;
      case Op::one:
        stack[size++] = ~std::uint64_t{0};
        break;
      case Op::not_:
        stack[size - 1] = ~stack[size - 1];
        break;
      case Op::and_:
        --size;
        stack[size - 1] &= stack[size];
        break;
      case Op::or_:
        --size;
        stack[size - 1] |= stack[size];
        break;
      case Op::xor_:
        --size;
        stack[size - 1] ^= stack[size];
        break;
    }
  }
  return stack[0];
}

}  // namespace td::gate
