// SPDX-License-Identifier: Apache-2.0
// A small library of cells and the netlists of the gate tests.
#pragma once

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/gate/netlist/netlist.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace td::unit {

/// Name and function.
using Outputs = std::vector<std::pair<std::string, std::string>>;

/// In liberty's notation; IQ and IQN are the state of a cell.
inline gate::Expression expression(const gate::Cell& of, const std::string& text) {
  using Term = gate::Expression::Term;
  using Op = gate::Expression::Op;
  if (text.empty()) return {};
  return gate::parse_expression(text, [&of](std::string_view name) -> std::optional<Term> {
    if (name == "IQ") return Term{Op::state};
    if (name == "IQN") return Term{Op::inverted_state};
    return Term{Op::pin, of.pin(name)};
  });
}

inline gate::Cell logic_cell(const std::string& name, const std::vector<std::string>& inputs,
                             const Outputs& outputs) {
  gate::Cell result;
  result.name = name;
  result.pins.resize(inputs.size() + outputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) result.pins[i].name = inputs[i];
  for (std::size_t i = 0; i < outputs.size(); ++i)
    result.pins[inputs.size() + i].name = outputs[i].first;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    gate::Pin& pin = result.pins[inputs.size() + i];
    pin.direction = gate::PinDirection::output;
    pin.function = expression(result, outputs[i].second);
  }
  return result;
}

struct FlipFlopText {
  std::string clocked_on;
  std::string next_state;
  std::string clear;
  std::string preset;
};

inline gate::Cell flip_flop_cell(const std::string& name, const std::vector<std::string>& inputs,
                                 const FlipFlopText& text) {
  gate::Cell result = logic_cell(name, inputs, {{"Q", "IQ"}, {"QN", "IQN"}});
  result.flip_flop = gate::FlipFlop{};
  result.flip_flop->clocked_on = expression(result, text.clocked_on);
  result.flip_flop->next_state = expression(result, text.next_state);
  result.flip_flop->clear = expression(result, text.clear);
  result.flip_flop->preset = expression(result, text.preset);
  return result;
}

inline gate::Library gate_library() {
  gate::Library library;
  library.path = "cells.lib";
  gate::Cell latch = flip_flop_cell("LATCH", {"E", "D"}, {"E", "D", "", ""});
  gate::Cell low_latch = flip_flop_cell("LATCHN", {"E", "D"}, {"!E", "D", "", ""});
  latch.flip_flop->is_latch = low_latch.flip_flop->is_latch = true;
  gate::Cell state_table = logic_cell("ICG", {"CK", "D"}, {{"Q", "IQ"}});
  state_table.other_state = true;
  library.cells = {
      logic_cell("INV", {"A"}, {{"Y", "!A"}}),
      logic_cell("AND2", {"A", "B"}, {{"Y", "A B"}}),
      logic_cell("OR2", {"A", "B"}, {{"Y", "A + B"}}),
      logic_cell("NAND2", {"A", "B"}, {{"Y", "!(A B)"}}),
      logic_cell("XOR2", {"A", "B"}, {{"Y", "A ^ B"}}),
      logic_cell("MUX", {"A", "B", "S"}, {{"Y", "!((S A) + (!S B))"}}),
      logic_cell("AOI", {"A", "B", "C"}, {{"Y", "!(C + A B)"}}),
      logic_cell("ADD", {"A", "B", "C"}, {{"S", "A ^ B ^ C"}, {"CO", "A B + C (A + B)"}}),
      logic_cell("ODD", {"A", "B", "C", "D", "E"}, {{"Y", "(A !B) ^ (C + !D E)"}}),
      logic_cell("TIE", {}, {{"Y", "1"}}),
      logic_cell("FLOAT", {"A"}, {{"Y", ""}}),
      flip_flop_cell("DFF", {"CK", "D"}, {"CK", "D", "", ""}),
      flip_flop_cell("DFFN", {"CK", "D"}, {"!CK", "D", "", ""}),
      flip_flop_cell("DFFE", {"CK", "D", "E"}, {"CK", "(D E) + (IQ !E)", "", ""}),
      flip_flop_cell("DFFSR", {"CK", "D", "S", "R"}, {"CK", "D", "!R", "!S"}),
      flip_flop_cell("DFFX", {"CK", "D", "E"}, {"CK E", "D", "", ""}),
      latch,
      low_latch,
      state_table,
  };
  return library;
}

/// {"modules": {…}} around modules.
inline std::string modules(const std::string& text) { return R"({"modules": {)" + text + "}}"; }

/// A module from the insides of its ports and cells.
inline std::string module(const std::string& name, const std::string& ports,
                          const std::string& cells) {
  return "\"" + name + R"(": {"attributes": {}, "ports": {)" + ports + R"(}, "cells": {)" + cells +
         R"(}, "netnames": {"n": {"hide_name": 0, "bits": [2, "z"], "attributes": {}}}})";
}

inline std::string in(const std::string& name, const std::string& bits) {
  return "\"" + name + R"(": {"direction": "input", "bits": [)" + bits + "]}";
}

inline std::string out(const std::string& name, const std::string& bits) {
  return "\"" + name + R"(": {"direction": "output", "bits": [)" + bits + "]}";
}

/// `pins` like "A": [2].
inline std::string instance(const std::string& name, const std::string& type,
                            const std::string& pins) {
  return "\"" + name + R"(": {"hide_name": 0, "type": ")" + type + R"(", "connections": {)" + pins +
         "}}";
}

/// Reads the modules from one file.
inline gate::Netlist netlist_of(const std::string& text, const gate::Library& library) {
  const Folder folder;
  std::ofstream(folder.file("n.json")) << modules(text);
  return gate::read_netlist({folder.file("n.json")}, "top", library);
}

}  // namespace td::unit
