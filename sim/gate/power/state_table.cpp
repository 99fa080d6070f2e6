// SPDX-License-Identifier: Apache-2.0
// Figures that depend on the state of a cell's pins: 64 states at once.
#include "sim/gate/power/state_table.hpp"

#include <array>
#include <set>

namespace td::gate {

namespace {

using Op = Expression::Op;

constexpr std::size_t word_bits = 64;

void collect(const Cell& cell, const Expression& expression, std::set<int>& variables) {
  for (const Expression::Term& term : expression.terms) {
    if (term.op == Op::state || term.op == Op::inverted_state) {
      variables.insert(static_cast<int>(cell.pins.size()));
    } else if (term.op == Op::pin) {
      const Expression& function = cell.pins[static_cast<std::size_t>(term.pin)].function;
      if (function.empty()) {
        variables.insert(term.pin);
      } else {
        collect(cell, function, variables);
      }
    }
  }
}

}  // namespace

std::vector<int> StateTable::variables(const Cell& cell,
                                       const std::vector<const Expression*>& conditions) {
  std::set<int> found;
  for (const Expression* condition : conditions) collect(cell, *condition, found);
  return std::vector<int>(found.begin(), found.end());
}

StateTable::StateTable(const Cell& cell, std::vector<int> variables)
    : cell_(&cell),
      variables_(std::move(variables)),
      numbers_(std::size_t{1} << variables_.size()),
      named_((numbers_.size() + word_bits - 1) / word_bits),
      pin_bits_(cell.pins.size() + 1) {}

/// Sets pin_bits_ to what pins and state are in the states of a word.
void StateTable::set_variables(std::size_t word) {
  constexpr std::array<std::uint64_t, 6> in_word = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                                    0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                                    0xffff0000ffff0000, 0xffffffff00000000};
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const bool one = i >= in_word.size() && (word >> (i - in_word.size()) & 1U) != 0;
    pin_bits_[static_cast<std::size_t>(variables_[i])] =
        i < in_word.size() ? in_word[i] : std::uint64_t{0} - (one ? 1U : 0U);
  }
  for (std::size_t pin = 0; pin < cell_->pins.size(); ++pin) {
    const Expression& function = cell_->pins[pin].function;
    if (!function.empty()) pin_bits_[pin] = evaluate(function, pin_bits_.data(), pin_bits_.back());
  }
}

void StateTable::add(const Expression& condition, double number) {
  for (std::size_t word = 0; word < named_.size(); ++word) {
    set_variables(word);
    const std::uint64_t truth = evaluate(condition, pin_bits_.data(), pin_bits_.back());
    named_[word] |= truth;
    for (std::size_t i = word * word_bits; i < numbers_.size() && i < (word + 1) * word_bits; ++i) {
      if ((truth >> (i % word_bits) & 1U) != 0) numbers_[i] += number;
    }
  }
}

void StateTable::add_elsewhere(double number) {
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if ((named_[i / word_bits] >> (i % word_bits) & 1U) == 0) numbers_[i] += number;
  }
}

double StateTable::mean(const double* ones) const {
  // Means over the first variables, one for each number of them, of a state's lower half.
  std::array<double, max_variables> lower;
  double mean = 0;
  for (std::size_t state = 0; state < numbers_.size(); ++state) {
    mean = numbers_[state];
    std::size_t variable = 0;
    for (; (state >> variable & 1U) != 0; ++variable) {
      const double one = ones[variables_[variable]];
      mean = lower[variable] * (1 - one) + mean * one;
    }
    if (variable < variables_.size()) lower[variable] = mean;
  }
  return mean;
}

}  // namespace td::gate
