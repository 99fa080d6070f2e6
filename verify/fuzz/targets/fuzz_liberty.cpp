// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a liberty file, and what must hold for one that is accepted.
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/support/error.hpp"
#include "sim/gate/liberty/liberty_cut.hpp"
#include "sim/gate/liberty/liberty_json.hpp"
#include "sim/gate/power/cell_power.hpp"
#include "verify/fuzz/target.hpp"

namespace td::verify {

namespace {

using gate::Cell;
using gate::EnergyTable;

void check_table(const EnergyTable& table) {
  if (table.empty()) return;
  for (const double slew : {0.0, 0.05, 1e9}) {
    for (const double load : {0.0, 0.01, 1e9})
      must(!std::isnan(table.at(slew, load)), "a look-up gives a number");
  }
}

void check_cell(const Cell& cell) {
  check_printable(cell.name, "the name of a cell");
  must(!cell.name.empty(), "cells have names");
  must(!(cell.flip_flop && cell.other_state), "a state is of one kind");
  const std::vector<std::uint64_t> pins(cell.pins.size());
  for (const gate::Pin& pin : cell.pins) {
    check_printable(pin.name, "the name of a pin");
    must(&cell.pins[static_cast<std::size_t>(cell.pin(pin.name))] == &pin, "pins differ in name");
    if (!pin.function.empty()) evaluate(pin.function, pins.data(), 0);
    for (const gate::InternalPower& power : pin.internal_power) {
      check_table(power.rise);
      check_table(power.fall);
    }
  }
  gate::PinActivity activity(cell.pins.size());
  const gate::CellPower power(cell, kInputName);
  power.internal_pJ(activity);
  power.leakage_uW(activity);
}

void check(std::string_view text) {
  const gate::Library library = gate::parse_library(text, kInputName);
  check_printable(library.name, "the name of a library");
  check_printable(library.corner, "a corner");
  must(library.voltage_V > 0, "there is a supply");
  for (const Cell& cell : library.cells) check_cell(cell);
  must(!gate::library_json(library).empty(), "what is read can be told");
  must(gate::without_cells(text, kInputName, {}) == text, "a copy with all cells is the file");
  must(gate::without_cells(text, kInputName, {"*"}).size() < text.size(), "cells can be cut");
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return td::verify::judge([&] { td::verify::check(td::verify::text_of(data, size)); });
}
