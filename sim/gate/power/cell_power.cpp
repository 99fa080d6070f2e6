// SPDX-License-Identifier: Apache-2.0
// What a gate of a cell spends inside it.
#include "sim/gate/power/cell_power.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/error.hpp"

namespace td::gate {

namespace {

using Op = Expression::Op;

constexpr std::size_t always = static_cast<std::size_t>(-1);

/// A weighted mean; zero of nothing.
class Mean {
 public:
  void add(double weight, double value) {
    sum_ += weight * value;
    weight_ += weight;
  }
  double value() const { return weight_ > 0 ? sum_ / weight_ : 0; }

 private:
  double sum_ = 0;
  double weight_ = 0;
};

}  // namespace

PinActivity::PinActivity(std::size_t pins)
    : toggles(pins), ones(pins + 1), slews_ns(pins), loads_pF(pins) {}

CellPower::CellPower(const Cell& cell, const std::string& path) : cell_(&cell), path_(&path) {
  for (std::size_t pin = 0; pin < cell.pins.size(); ++pin) {
    add_pin(pin);
    const std::vector<Expression::Term>& terms = cell.pins[pin].function.terms;
    const bool negated = terms.size() == 2 && terms[1].op == Op::not_;
    if (terms.size() != 1 && !negated) continue;
    if (terms[0].op == Op::state) state_outputs_.push_back({pin, negated});
    if (terms[0].op == Op::inverted_state) state_outputs_.push_back({pin, !negated});
  }
  if (cell.leakages.empty()) return;
  std::vector<const Expression*> conditions;
  for (const Leakage& leakage : cell.leakages) conditions.push_back(&leakage.when);
  leakage_uW_ = table(conditions);
  for (const Leakage& leakage : cell.leakages) leakage_uW_->add(leakage.when, leakage.power_uW);
  leakage_uW_->add_elsewhere(cell.leakage_uW);
}

StateTable CellPower::table(const std::vector<const Expression*>& conditions) const {
  std::vector<int> variables = StateTable::variables(*cell_, conditions);
  if (variables.size() > StateTable::max_variables) {
    throw UserError(*path_, "cell " + cell_->name + " when",
                    fmt::format("{} pins in all", variables.size()),
                    fmt::format("at most {}", StateTable::max_variables));
  }
  return StateTable(*cell_, std::move(variables));
}

void CellPower::add_pin(std::size_t pin) {
  const bool output = cell_->pins[pin].direction == PinDirection::output;
  std::vector<Spender>& spenders = output ? outputs_ : inputs_;
  const std::size_t first = spenders.size();
  std::vector<int> rails;  // of spenders from `first` on
  for (const InternalPower& power : cell_->pins[pin].internal_power) {
    Source source{pin, always, &power};
    if (power.when) {
      source.when = conditions_.size();
      conditions_.push_back(table({&*power.when}));
      conditions_.back().add(*power.when, 1);
    }
    const auto rail = std::find(rails.begin(), rails.end(), power.rail);
    const std::size_t index = first + static_cast<std::size_t>(rail - rails.begin());
    if (rail == rails.end()) {
      rails.push_back(power.rail);
      spenders.push_back({pin, {}});
    }
    std::vector<Source>& sources = spenders[index].sources;
    if (!output || power.related_pins.empty()) sources.push_back(source);
    for (const int related : power.related_pins) {
      if (!output) break;  // an input spends at its own toggles
      source.related = static_cast<std::size_t>(related);
      sources.push_back(source);
    }
  }
}

double CellPower::probability(const Source& source, const PinActivity& activity) const {
  return source.when == always ? 1 : conditions_[source.when].mean(activity.ones.data());
}

double CellPower::input_pJ(const Spender& input, const PinActivity& activity) const {
  double energy = 0;
  const double slew = activity.slews_ns[input.pin];
  for (const Source& source : input.sources) {
    const InternalPower& power = *source.power;
    const double rise = power.rise.empty() ? 0 : power.rise.at(slew, 0);
    const double fall = power.fall.empty() ? 0 : power.fall.at(slew, 0);
    energy += probability(source, activity) * (rise + fall) / 2;
  }
  return energy * activity.toggles[input.pin];
}

double CellPower::output_pJ(const Spender& output, const PinActivity& activity) const {
  const auto weight = [&](const Source& source) {
    return activity.toggles[source.related] * probability(source, activity);
  };
  const bool some = std::any_of(output.sources.begin(), output.sources.end(),
                                [&](const Source& source) { return weight(source) > 0; });
  const double load = activity.loads_pF[output.pin];
  Mean rise;
  Mean fall;
  for (const Source& source : output.sources) {
    const double share = some ? weight(source) : 1;
    if (!(share > 0)) continue;
    const InternalPower& power = *source.power;
    const double slew = activity.slews_ns[source.related];
    if (!power.rise.empty()) rise.add(share, power.rise.at(slew, load));
    if (!power.fall.empty()) fall.add(share, power.fall.at(slew, load));
  }
  return (rise.value() + fall.value()) / 2 * activity.toggles[output.pin];
}

double CellPower::internal_pJ(const PinActivity& activity) const {
  double energy = 0;
  for (const Spender& input : inputs_) {
    if (activity.toggles[input.pin] > 0) energy += input_pJ(input, activity);
  }
  for (const Spender& output : outputs_) {
    if (activity.toggles[output.pin] > 0) energy += output_pJ(output, activity);
  }
  return energy;
}

double CellPower::leakage_uW(const PinActivity& activity) const {
  return leakage_uW_ ? leakage_uW_->mean(activity.ones.data()) : cell_->leakage_uW;
}

}  // namespace td::gate
