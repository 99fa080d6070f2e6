// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/liberty/liberty_json.hpp"

#include <nlohmann/json.hpp>

namespace td::gate {

namespace {

using Json = nlohmann::ordered_json;

/// By what it does, however its function is written.
const char* kind(const Cell& cell) {
  if (cell.other_state || (cell.flip_flop && cell.flip_flop->is_latch)) return "latch";
  if (cell.flip_flop) return "flip_flop";
  constexpr std::uint64_t a = 0b0101;
  constexpr std::uint64_t b = 0b0011;
  std::vector<std::uint64_t> pins(cell.pins.size());
  const Expression* function = nullptr;
  int inputs = 0;
  for (std::size_t i = 0; i < cell.pins.size(); ++i) {
    const Pin& pin = cell.pins[i];
    if (pin.direction == PinDirection::input) {
      pins[i] = inputs++ == 0 ? a : b;
    } else if (!pin.function.empty()) {
      if (function != nullptr) return "other";
      function = &pin.function;
    }
  }
  if (function == nullptr) return "other";
  const std::uint64_t value = evaluate(*function, pins.data(), 0) & 0b1111;
  if (inputs == 1 && value == a) return "buffer";
  return inputs == 2 && value == (~(a & b) & 0b1111) ? "nand2" : "other";
}

/// The level of its one enable at which a latch is open; null for what is none, or has another.
Json opens(const Cell& cell) {
  if (!cell.flip_flop || !cell.flip_flop->is_latch) return nullptr;
  const std::vector<Expression::Term>& terms = cell.flip_flop->clocked_on.terms;
  if (terms.empty() || terms.size() > 2 || terms[0].op != Expression::Op::pin) return nullptr;
  if (terms.size() == 1) return 1;
  return terms[1].op == Expression::Op::not_ ? Json(0) : Json(nullptr);
}

Json cell_json(const Cell& cell) {
  Json inputs = Json::object();
  Json functions = Json::object();
  for (const Pin& pin : cell.pins) {
    if (pin.direction == PinDirection::input) {
      inputs[pin.name] = pin.capacitance_pF;
    } else if (!pin.function.empty()) {
      functions[pin.name] = postfix(cell, pin.function);
    }
  }
  return {{"name", cell.name},
          {"area", cell.area},
          {"kind", kind(cell)},
          {"opens", opens(cell)},
          {"inputs_pF", std::move(inputs)},
          {"functions", std::move(functions)}};
}

}  // namespace

std::string postfix(const Cell& cell, const Expression& expression) {
  constexpr const char* names[] = {"", "IQ", "IQN", "!", "*", "+", "^", "0", "1"};
  std::string text;
  for (const Expression::Term& term : expression.terms) {
    if (!text.empty()) text += ' ';
    text += term.op == Expression::Op::pin ? cell.pins[static_cast<std::size_t>(term.pin)].name
                                           : names[static_cast<int>(term.op)];
  }
  return text;
}

std::string library_json(const Library& library) {
  Json cells = Json::array();
  for (const Cell& cell : library.cells) cells.push_back(cell_json(cell));
  const Json object = {
      {"library", library.name}, {"corner", library.corner}, {"cells", std::move(cells)}};
  return object.dump() + '\n';
}

}  // namespace td::gate
