// SPDX-License-Identifier: Apache-2.0
// What a liberty file says about its cells: the library itself, and what it must have.
#include "sim/gate/liberty/liberty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/support/error.hpp"
#include "base/support/text_file.hpp"
#include "sim/gate/liberty/liberty_cell.hpp"
#include "sim/gate/liberty/liberty_syntax.hpp"
#include "sim/gate/liberty/liberty_tables.hpp"
#include "sim/gate/liberty/liberty_units.hpp"

namespace td::gate {

namespace {

/// Enough for libraries with current-source tables.
constexpr std::size_t max_bytes = std::size_t{1} << 30;

template <class Item>
int index_of(const std::vector<Item>& items, std::string_view name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return found == items.end() ? -1 : static_cast<int>(found - items.begin());
}

/// "P_V_T".
std::string nominal_corner(const LibertyGroup& group, const std::string& path) {
  std::string corner;
  for (const char* value : {"nom_process", "nom_voltage", "nom_temperature"})
    corner += fmt::format("{}{}", corner.empty() ? "" : "_",
                          liberty_number_of(group, value, 0, {path, "library"}));
  return corner;
}

/// Sets corner and voltage; liberty gives both in volts, whatever its unit of voltage.
void read_corner(const LibertyGroup& group, Library& library) {
  const std::string_view name = group.value("default_operating_conditions");
  double voltage = liberty_number_of(group, "nom_voltage", 0, {library.path, "library"});
  library.corner = nominal_corner(group, library.path);
  for (const LibertyGroup& conditions : group.groups) {
    if (conditions.type != "operating_conditions" || name.empty() || conditions.name() != name)
      continue;
    library.corner = liberty_name(name, {library.path, "default_operating_conditions"});
    voltage = liberty_number_of(conditions, "voltage", voltage, {library.path, library.corner});
  }
  if (!(voltage > 0))
    throw UserError(library.path, "nom_voltage", fmt::format("{}", voltage), "more than 0 V");
  library.voltage_V = voltage;
}

bool has_power(const Cell& cell) {
  return std::any_of(cell.pins.begin(), cell.pins.end(),
                     [](const Pin& pin) { return !pin.internal_power.empty(); });
}

/// Whether there is a group of this type in the group, however deep.
bool holds(const LibertyGroup& group, std::string_view type) {
  return std::any_of(group.groups.begin(), group.groups.end(), [&](const LibertyGroup& child) {
    return child.type == type || holds(child, type);
  });
}

/// Refuses a library without cells that a synchronous design can be made of.
void check_cells(const Library& library) {
  const std::vector<Cell>& cells = library.cells;
  if (cells.empty()) throw UserError(library.path, "cells", "none", "a library with cell groups");
  if (std::none_of(cells.begin(), cells.end(),
                   [](const Cell& cell) { return cell.flip_flop && !cell.flip_flop->is_latch; })) {
    const bool latches = std::any_of(cells.begin(), cells.end(), [](const Cell& cell) {
      return cell.flip_flop || cell.other_state;
    });
    throw UserError(library.path, "flip-flops", latches ? "none, only latches" : "none",
                    "a library with a flip-flop (ff group)");
  }
}

void check_tables(const LibertyGroup& group, const Library& library, LibraryUse use) {
  if (use == LibraryUse::synthesis && !holds(group, "cell_rise")) {
    throw UserError(library.path, "timing tables", "none",
                    "a library with delays (cell_rise and cell_fall groups)");
  }
  if (use == LibraryUse::power &&
      std::none_of(library.cells.begin(), library.cells.end(), has_power)) {
    throw UserError(library.path, "power tables", "none",
                    "a library with power tables (internal_power groups)");
  }
}

}  // namespace

int Cell::pin(std::string_view pin_name) const { return index_of(pins, pin_name); }

int Library::index(std::string_view cell_name) const { return index_of(cells, cell_name); }

const Cell* Library::find(std::string_view cell_name) const {
  const int found = index(cell_name);
  return found < 0 ? nullptr : &cells[static_cast<std::size_t>(found)];
}

bool is_buffer(const Cell& cell) {
  if (cell.pins.size() != 2) return false;
  const std::size_t input = cell.pins[0].direction == PinDirection::input ? 0 : 1;
  const std::vector<Expression::Term>& terms = cell.pins[1 - input].function.terms;
  return cell.pins[input].direction == PinDirection::input && terms.size() == 1 &&
         terms[0].op == Expression::Op::pin && static_cast<std::size_t>(terms[0].pin) == input;
}

std::string liberty_text(const std::string& path) {
  return read_text(path, "a readable liberty file", max_bytes);
}

Library read_liberty(const std::string& path) { return parse_library(liberty_text(path), path); }

Library parse_library(std::string_view text, const std::string& path, LibraryUse use) {
  const LibertyGroup group = parse_liberty(text, path);
  Library library;
  library.name = liberty_name(group.name(), {path, "library"});
  library.path = path;
  read_corner(group, library);
  const LibertyUnits units = read_units(group, path);
  const TableReader tables(group, units, path);
  const auto default_of = [&](std::string_view attribute) -> std::optional<double> {
    if (group.find(attribute) == nullptr) return std::nullopt;
    return liberty_amount_of(group, attribute, {}, {path, "library"});
  };
  const LibertyDefaults defaults{default_of("default_input_pin_cap"),
                                 default_of("default_cell_leakage_power")};
  std::set<std::string_view> names;
  for (const LibertyGroup& child : group.groups) {
    if (child.type != "cell") continue;
    if (!names.insert(child.name()).second)
      throw UserError(path, "cell", child.name(), "each cell once");
    if (std::optional<Cell> cell = read_cell(child, tables, units, defaults, path))
      library.cells.push_back(std::move(*cell));
  }
  check_cells(library);
  check_tables(group, library, use);
  return library;
}

}  // namespace td::gate
