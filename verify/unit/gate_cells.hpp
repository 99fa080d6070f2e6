// SPDX-License-Identifier: Apache-2.0
// A small library of cells and the netlists of the gate tests.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/gate/netlist.hpp"

namespace td::unit {

/// Pins and functions, in liberty's notation; `Q` and `QN` of flip-flops are the state.
inline gate::Cell cell(const std::string& name, const std::vector<std::string>& inputs,
                       const std::vector<std::pair<std::string, std::string>>& outputs) {
  gate::Cell result;
  result.name = name;
  for (const std::string& input : inputs) {
    result.pins.emplace_back();
    result.pins.back().name = input;
  }
  for (const auto& [pin, function] : outputs) {
    result.pins.emplace_back();
    result.pins.back().name = pin;
    result.pins.back().direction = gate::PinDirection::output;
  }
  return result;
}

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

inline gate::Cell with_functions(gate::Cell result,
                                 const std::vector<std::pair<std::string, std::string>>& outputs) {
  for (const auto& [pin, function] : outputs)
    result.pins[static_cast<std::size_t>(result.pin(pin))].function = expression(result, function);
  return result;
}

inline gate::Cell logic_cell(const std::string& name, const std::vector<std::string>& inputs,
                             const std::vector<std::pair<std::string, std::string>>& outputs) {
  return with_functions(cell(name, inputs, outputs), outputs);
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
  gate::Cell latch = logic_cell("LATCH", {"E", "D"}, {{"Q", "IQ"}});
  latch.latch = true;
  library.cells = {
      logic_cell("INV", {"A"}, {{"Y", "!A"}}),
      logic_cell("AND2", {"A", "B"}, {{"Y", "A B"}}),
      logic_cell("OR2", {"A", "B"}, {{"Y", "A + B"}}),
      logic_cell("NAND2", {"A", "B"}, {{"Y", "!(A B)"}}),
      logic_cell("XOR2", {"A", "B"}, {{"Y", "A ^ B"}}),
      logic_cell("ADD", {"A", "B", "C"}, {{"S", "A ^ B ^ C"}, {"CO", "A B + C (A + B)"}}),
      logic_cell("ODD", {"A", "B", "C", "D", "E"}, {{"Y", "(A !B) ^ (C + !D E)"}}),
      logic_cell("TIE", {}, {{"Y", "1"}}),
      cell("FLOAT", {"A"}, {{"Y", ""}}),
      flip_flop_cell("DFF", {"CK", "D"}, {"CK", "D", "", ""}),
      flip_flop_cell("DFFN", {"CK", "D"}, {"!CK", "D", "", ""}),
      flip_flop_cell("DFFE", {"CK", "D", "E"}, {"CK", "(D E) + (IQ !E)", "", ""}),
      flip_flop_cell("DFFSR", {"CK", "D", "S", "R"}, {"CK", "D", "!R", "!S"}),
      flip_flop_cell("DFFX", {"CK", "D", "E"}, {"CK E", "D", "", ""}),
      latch,
  };
  return library;
}

/// Files that are gone with it.
class NetlistFiles {
 public:
  NetlistFiles() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gate.XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~NetlistFiles() { std::filesystem::remove_all(folder_); }
  NetlistFiles(const NetlistFiles&) = delete;
  NetlistFiles& operator=(const NetlistFiles&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }

 private:
  std::filesystem::path folder_;
};

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

inline gate::Netlist netlist_of(const std::string& text, const gate::Library& library,
                                const std::string& top = "top") {
  const NetlistFiles files;
  return gate::read_netlist({files.write("n.json", modules(text))}, top, library);
}

}  // namespace td::unit
