// SPDX-License-Identifier: Apache-2.0
// One cell of a liberty file: pins, functions, state, power.
#include "sim/gate/liberty/liberty_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace td::gate {

namespace {

using Op = Expression::Op;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Names between blanks, in all values together.
std::vector<std::string_view> words(const std::vector<std::string_view>& values) {
  std::vector<std::string_view> result;
  for (std::string_view text : values) {
    while (true) {
      const std::size_t first = text.find_first_not_of(" \t\r\n\\");
      if (first == std::string_view::npos) break;
      text.remove_prefix(first);
      const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n\\"));
      result.push_back(word);
      text.remove_prefix(word.size());
    }
  }
  return result;
}

bool is_left_out(const LibertyGroup& cell) {
  return std::any_of(cell.groups.begin(), cell.groups.end(), [](const LibertyGroup& group) {
    return is_one_of(group.type, {"bus", "bundle", "ff_bank", "latch_bank"}) ||
           (group.type == "pin" && group.value("direction") == "inout");
  });
}

class CellReader {
 public:
  CellReader(const LibertyGroup& group, const TableReader& tables, const LibertyUnits& units,
             const LibertyDefaults& defaults, const std::string& path)
      : group_(&group), tables_(&tables), units_(&units), defaults_(&defaults), path_(&path) {
    cell_.name = liberty_name(group.name(), {path, "cell"});
    field_ = "cell " + cell_.name;
  }

  Cell read() {
    cell_.area = liberty_amount_of(*group_, "area", {}, {*path_, field_});
    read_state_names();
    for (const LibertyGroup* pin : groups("pin")) add_pins(*pin);
    read_state();
    for (const LibertyGroup* pin : groups("pin")) read_pin_power(*pin);
    read_leakage();
    return std::move(cell_);
  }

 private:
  std::vector<const LibertyGroup*> groups(std::string_view type) const {
    std::vector<const LibertyGroup*> result;
    for (const LibertyGroup& group : group_->groups) {
      if (group.type == type) result.push_back(&group);
    }
    return result;
  }

  std::string pin_field(std::string_view pin, std::string_view what) const {
    return fmt::format("{} pin {} {}", field_, pin, what);
  }

  [[noreturn]] void fail(const std::string& field, std::string_view value,
                         const std::string& legal) const {
    LibertyPlace{*path_, field}.fail(value, legal);
  }

  void read_state_names() {
    for (const LibertyGroup& group : group_->groups) {
      if (is_one_of(group.type, {"ff", "latch"})) {
        if (!group.names.empty()) states_[group.names[0]] = Op::state;
        if (group.names.size() > 1) states_[group.names[1]] = Op::inverted_state;
      } else if (group.type == "statetable" && group.names.size() > 1) {
        for (const std::string_view name : words({group.names[1]})) states_[name] = Op::state;
      } else if (group.type == "pin" && group.value("direction") == "internal") {
        for (const std::string_view name : group.names) states_[name] = Op::state;
      }
    }
  }

  /// The pins of a group, without their functions and power, for which all pins must be known.
  void add_pins(const LibertyGroup& group) {
    const std::string_view direction = group.value("direction");
    if (direction == "internal") return;
    for (const std::string_view name : group.names) {
      if (!is_one_of(direction, {"input", "output"}))
        fail(pin_field(name, "direction"), direction, "input, output, inout or internal");
      if (cell_.pin(name) >= 0) fail(field_ + " pin", name, "each pin once");
      Pin pin;
      pin.name = liberty_name(name, {*path_, field_ + " pin"});
      pin.direction = direction == "input" ? PinDirection::input : PinDirection::output;
      pin.clock = group.value("clock") == "true";
      const std::optional<double> missing =
          pin.direction == PinDirection::input ? defaults_->input_capacitance : 0;
      const std::string field = fmt::format("{} pin {}", field_, pin.name);
      pin.capacitance_pF =
          units_->pF(liberty_amount_of(group, "capacitance", missing, {*path_, field}));
      pin.max_capacitance_pF =
          units_->pF(liberty_amount_of(group, "max_capacitance", 0, {*path_, field}));
      cell_.pins.push_back(std::move(pin));
    }
  }

  std::optional<Expression::Term> find_name(std::string_view name, bool outputs) const {
    const int pin = cell_.pin(name);
    if (pin >= 0) {
      const auto direction = cell_.pins[static_cast<std::size_t>(pin)].direction;
      if (direction == PinDirection::output && !outputs) return std::nullopt;
      return Expression::Term{Op::pin, pin};
    }
    const auto state = states_.find(name);
    if (state == states_.end()) return std::nullopt;
    return Expression::Term{state->second};
  }

  /// Functions name inputs and state; conditions may name outputs too.
  Expression expression(std::string_view text, const std::string& field, bool outputs) const {
    try {
      return parse_expression(text,
                              [&](std::string_view name) { return find_name(name, outputs); });
    } catch (const ExpressionError& error) {
      fail(field, text, error.what());
    }
  }

  std::optional<Expression> condition(const LibertyGroup& group, const std::string& field) const {
    if (group.find("when") == nullptr) return std::nullopt;
    return expression(group.value("when"), field + " when", true);
  }

  void read_state() {
    for (const LibertyGroup* pin : groups("pin")) {
      if (pin->find("function") == nullptr || pin->find("three_state") != nullptr) continue;
      for (const std::string_view name : pin->names) {
        const int index = cell_.pin(name);
        if (index < 0) continue;
        cell_.pins[static_cast<std::size_t>(index)].function =
            expression(pin->value("function"), pin_field(name, "function"), false);
      }
    }
    std::vector<const LibertyGroup*> states = groups("ff");
    for (const LibertyGroup* latch : groups("latch")) states.push_back(latch);
    cell_.other_state = !groups("statetable").empty() || states.size() > 1 ||
                        (states.size() == 1 && has_more_clocks(*states[0]));
    if (states.size() == 1 && !cell_.other_state) read_flip_flop(*states[0]);
  }

  /// Or none, as a latch may that is set and cleared only.
  static bool has_more_clocks(const LibertyGroup& state) {
    const bool is_latch = state.type == "latch";
    return state.find(is_latch ? "enable_also" : "clocked_on_also") != nullptr ||
           (is_latch && state.find("enable") == nullptr);
  }

  void read_flip_flop(const LibertyGroup& group) {
    const auto read = [&](std::string_view attribute, bool needed) {
      if (group.find(attribute) == nullptr && !needed) return Expression();
      const std::string field = fmt::format("{} {} {}", field_, group.type, attribute);
      return expression(group.value(attribute), field, false);
    };
    FlipFlop& flip_flop = cell_.flip_flop.emplace();
    flip_flop.is_latch = group.type == "latch";
    flip_flop.clocked_on = read(flip_flop.is_latch ? "enable" : "clocked_on", true);
    flip_flop.next_state = read(flip_flop.is_latch ? "data_in" : "next_state", true);
    flip_flop.clear = read("clear", false);
    flip_flop.preset = read("preset", false);
    flip_flop.state_when_both = group.value("clear_preset_var1") == "H";
  }

  /// The index of a group's supply rail: rails count from 0 in the order in which they appear.
  int rail(const LibertyGroup& group) {
    const std::string_view name = group.value("related_pg_pin");
    const auto found = std::find(rails_.begin(), rails_.end(), name);
    if (found != rails_.end()) return static_cast<int>(found - rails_.begin());
    rails_.push_back(name);
    return static_cast<int>(rails_.size()) - 1;
  }

  void read_pin_power(const LibertyGroup& group) {
    for (const std::string_view name : group.names) {
      const int index = cell_.pin(name);
      if (index < 0) continue;
      const std::string field = pin_field(name, "internal_power");
      for (const LibertyGroup& power : group.groups) {
        if (power.type != "internal_power") continue;
        InternalPower read = internal_power(power, field);
        if (read.rise.empty() && read.fall.empty()) continue;
        cell_.pins[static_cast<std::size_t>(index)].internal_power.push_back(std::move(read));
      }
    }
  }

  InternalPower internal_power(const LibertyGroup& group, const std::string& field) {
    InternalPower power;
    if (const LibertyAttribute* related = group.find("related_pin")) {
      for (const std::string_view name : words(related->values)) {
        const std::optional<Expression::Term> term = find_name(name, true);
        if (!term) fail(field + " related_pin", name, "pins of the cell");
        if (term->op == Op::pin) power.related_pins.push_back(term->pin);
      }
    }
    power.when = condition(group, field);
    power.rail = rail(group);
    for (const LibertyGroup& table : group.groups) {
      const bool both = table.type == "power";
      if (both || table.type == "rise_power") power.rise = tables_->read(table, field);
      if (both || table.type == "fall_power") power.fall = tables_->read(table, field);
    }
    return power;
  }

  void read_leakage() {
    const std::string field = field_ + " leakage_power";
    const std::vector<const LibertyGroup*> by_state = groups("leakage_power");
    const std::optional<double> missing =
        by_state.empty() ? defaults_->leakage : defaults_->leakage.value_or(0);
    cell_.leakage_uW =
        units_->uW(liberty_amount_of(*group_, "cell_leakage_power", missing, {*path_, field_}));
    double without_condition = 0;
    bool has_one = false;
    for (const LibertyGroup* group : by_state) {
      const double power = units_->uW(liberty_amount(group->value("value"), {*path_, field}));
      if (std::optional<Expression> when = condition(*group, field)) {
        cell_.leakages.push_back({std::move(*when), rail(*group), power});
      } else {
        without_condition += power;
        has_one = true;
      }
    }
    if (has_one) cell_.leakage_uW = without_condition;
  }

  const LibertyGroup* group_;
  const TableReader* tables_;
  const LibertyUnits* units_;
  const LibertyDefaults* defaults_;
  const std::string* path_;
  std::string field_;
  Cell cell_;
  std::map<std::string_view, Op> states_;
  std::vector<std::string_view> rails_;
};

}  // namespace

std::optional<Cell> read_cell(const LibertyGroup& group, const TableReader& tables,
                              const LibertyUnits& units, const LibertyDefaults& defaults,
                              const std::string& path) {
  if (is_left_out(group)) return std::nullopt;
  return CellReader(group, tables, units, defaults, path).read();
}

}  // namespace td::gate
