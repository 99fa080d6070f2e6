// SPDX-License-Identifier: Apache-2.0
// Expressions of liberty files: notation, precedence, values, probabilities, refusals.
#include <doctest/doctest.h>

#include <array>
#include <string>

#include "sim/gate/liberty/expression.hpp"
#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/power/state_table.hpp"

namespace {

using td::gate::Expression;
using td::gate::ExpressionError;
using td::gate::parse_expression;
using Op = Expression::Op;
using Word = std::uint64_t;

// Pins A, B, C, D and a state S, each both ways with each value of the others.
constexpr Word a = 0xaaaaaaaaaaaaaaaa;
constexpr Word b = 0xcccccccccccccccc;
constexpr Word c = 0xf0f0f0f0f0f0f0f0;
constexpr Word d = 0xff00ff00ff00ff00;
constexpr Word s = 0xffff0000ffff0000;

std::optional<Expression::Term> find_name(std::string_view name) {
  if (name == "S") return Expression::Term{Op::state};
  if (name == "SN") return Expression::Term{Op::inverted_state};
  if (name == "A[0]") return Expression::Term{Op::pin, 0};
  if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'D')
    return Expression::Term{Op::pin, name[0] - 'A'};
  return std::nullopt;
}

Word value(const std::string& text) {
  const std::array<Word, 4> pins = {a, b, c, d};
  return evaluate(parse_expression(text, find_name), pins.data(), s);
}

std::string refusal(const std::string& text) {
  try {
    parse_expression(text, find_name);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "(accepted)";
}

/// Probability of an expression of pins that are one with these probabilities, and of the state.
double probability(const std::string& text, const std::array<double, 5>& ones) {
  td::gate::Cell cell;
  cell.pins.resize(4);
  const Expression expression = parse_expression(text, find_name);
  td::gate::StateTable table(cell, td::gate::StateTable::variables(cell, {&expression}));
  table.add(expression, 1);
  return table.mean(ones.data());
}

}  // namespace

TEST_CASE("liberty expressions: every operator") {
  CHECK(value("A") == a);
  CHECK(value("!A") == ~a);
  CHECK(value("A'") == ~a);
  CHECK(value("A*B") == (a & b));
  CHECK(value("A & B") == (a & b));
  CHECK(value("A B") == (a & b));
  CHECK(value("A+B") == (a | b));
  CHECK(value("A | B") == (a | b));
  CHECK(value("A^B") == (a ^ b));
  CHECK(value("0") == 0);
  CHECK(value("1") == ~Word{0});
  CHECK(value("S") == s);
  CHECK(value("SN") == ~s);
  CHECK(value("A[0]") == a);
}

TEST_CASE("liberty expressions: inversion binds tightest, then xor, then and, then or") {
  CHECK(value("A + B C") == (a | (b & c)));
  CHECK(value("A B + C D") == ((a & b) | (c & d)));
  CHECK(value("A ^ B C") == ((a ^ b) & c));
  CHECK(value("A * B ^ C") == (a & (b ^ c)));
  CHECK(value("A + B ^ C * D") == (a | ((b ^ c) & d)));
  CHECK(value("!A B") == (~a & b));
  CHECK(value("A B'") == (a & ~b));
  CHECK(value("!A ^ B'") == (~a ^ ~b));
  CHECK(value("(A B)'") == ~(a & b));
  CHECK(value("!!A''") == a);
  CHECK(value("!A'") == a);
}

TEST_CASE("liberty expressions: notation as libraries have it") {
  CHECK(value("(!A)") == ~a);
  CHECK(value("(A B)+(C D)") == ((a & b) | (c & d)));
  CHECK(value("!(A (B+C))") == ~(a & (b | c)));
  CHECK(value("(A&!C) | (B&C)") == ((a & ~c) | (b & c)));
  CHECK(value("A(B)(C)") == (a & b & c));
  CHECK(value(" A\\\n B\t") == (a & b));
  CHECK(value("((A*!B)+(S*!C)) 1") == ((a & ~b) | (s & ~c)));
}

TEST_CASE("liberty expressions: probabilities are exact, also of inputs that meet again") {
  const std::array<double, 5> ones = {0.5, 0.25, 0.75, 0.125, 0.375};
  CHECK(probability("A", ones) == 0.5);
  CHECK(probability("A B", ones) == 0.125);
  CHECK(probability("A + B", ones) == 0.625);
  CHECK(probability("A ^ C", ones) == 0.5);
  CHECK(probability("A !A", ones) == 0);
  CHECK(probability("A B + A C", ones) == 0.5 * (1 - 0.75 * 0.25));
  CHECK(probability("A B + !A C + B C", ones) == 0.5);
  CHECK(probability("S D", ones) == 0.375 * 0.125);
  CHECK(probability("SN", ones) == 0.625);
  CHECK(probability("0", ones) == 0);
  CHECK(probability("1", ones) == 1);
}

TEST_CASE("liberty expressions: state tables of more variables than a word has bits for") {
  td::gate::Cell cell;
  cell.pins.resize(9);
  Expression all;
  for (int pin = 0; pin < 9; ++pin) {
    all.terms.push_back({Op::pin, pin});
    if (pin > 0) all.terms.push_back({Op::and_});
  }
  std::array<double, 10> ones;
  ones.fill(0.5);
  td::gate::StateTable table(cell, td::gate::StateTable::variables(cell, {&all}));
  table.add(all, 512);
  table.add_elsewhere(1024);
  CHECK(table.mean(ones.data()) == 1 + 1024 - 2);
}

TEST_CASE("liberty expressions: refused") {
  CHECK(refusal("A E") == "names of the cell's pins and state, not E");
  CHECK(refusal("") == "an operand for each operator");
  CHECK(refusal("A +") == "an operand for each operator");
  CHECK(refusal("* A") == "an operand for each operator");
  CHECK(refusal("(A") == "a closing parenthesis for each opening one");
  CHECK(refusal("A)") == "operators ! ' ^ * & + |, parentheses, 0, 1, names");
  CHECK(refusal("A ? B") == "operators ! ' ^ * & + |, parentheses, 0, 1, names");
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "A" + std::string(depth, ')');
  };
  CHECK(value(nested(41)) == a);
  CHECK(refusal(nested(42)) == "at most 41 parentheses in each other");
  CHECK(refusal(std::string(1 << 20, '(')) == "at most 41 parentheses in each other");
}

TEST_CASE("liberty expressions: the deepest that is accepted leaves room for its operands") {
  std::string text = "A";
  for (int depth = 0; depth < 41; ++depth) text = "0 + 1 * 0 ^ (" + text + ")";
  CHECK(value("0 + 1 * 0 ^ " + text) == a);
}
