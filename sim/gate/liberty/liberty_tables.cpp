// SPDX-License-Identifier: Apache-2.0
// Power tables of a liberty file, and looking up energies in them.
#include "sim/gate/liberty/liberty_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::gate {

namespace {

/// Between which two places of an index a value lies, and how far from the first to the second.
struct Position {
  std::size_t first;
  std::size_t second;
  double part;
};

Position position(const std::vector<double>& index, double value) {
  if (index.size() < 2 || value <= index.front()) return {0, 0, 0};
  if (value >= index.back()) return {index.size() - 1, index.size() - 1, 0};
  std::size_t i = 0;
  while (value >= index[i + 1]) ++i;
  return {i, i + 1, (value - index[i]) / (index[i + 1] - index[i])};
}

}  // namespace

double EnergyTable::at(double slew_ns, double load_pF) const {
  const Position row = position(slews_ns, slew_ns);
  const Position column = position(loads_pF, load_pF);
  const std::size_t columns = std::max<std::size_t>(1, loads_pF.size());
  const auto in_row = [&](std::size_t i) {
    const double* energies = &energies_pJ[i * columns];
    const double first = energies[column.first];
    return first + column.part * (energies[column.second] - first);
  };
  const double first = in_row(row.first);
  return row.first == row.second ? first : first + row.part * (in_row(row.second) - first);
}

/// The indexes of a table in the order of the file.
struct TableReader::Axes {
  EnergyTable table;
  std::size_t values = 1;
  bool loads_first = false;
};

TableReader::TableReader(const LibertyGroup& library, const LibertyUnits& units,
                         const std::string& path)
    : units_(units), path_(&path) {
  for (const LibertyGroup& group : library.groups) {
    if (group.type == "power_lut_template") templates_[group.name()] = &group;
  }
}

void TableReader::read_axis(const LibertyGroup& table, const LibertyGroup& pattern,
                            const std::string& number, const LibertyPlace& place,
                            Axes& axes) const {
  const std::string_view variable = pattern.value("variable_" + number);
  if (variable.empty()) return;
  const bool slew = variable == "input_transition_time" || variable == "input_net_transition";
  std::vector<double>& index = slew ? axes.table.slews_ns : axes.table.loads_pF;
  if ((!slew && variable != "total_output_net_capacitance") || !index.empty()) {
    place.fail(variable, "a table over input_transition_time and total_output_net_capacitance");
  }
  const LibertyAttribute* given = table.find("index_" + number);
  if (given == nullptr) given = pattern.find("index_" + number);
  if (given != nullptr) index = liberty_numbers(given->values, place);
  for (double& value : index) value = slew ? units_.ns(value) : units_.pF(value);
  const bool rises =
      std::adjacent_find(index.begin(), index.end(), std::greater_equal<>()) == index.end();
  if (index.empty() || !rises) {
    place.fail(given == nullptr || given->values.empty() ? "" : given->values[0],
               fmt::format("numbers that rise, in index_{}", number));
  }
  if (number == "1") axes.loads_first = !slew;
  axes.values *= index.size();
}

EnergyTable TableReader::read(const LibertyGroup& table, const std::string& field) const {
  const LibertyPlace place{*path_, field};
  Axes axes;
  const auto pattern = templates_.find(table.name());
  if (pattern != templates_.end()) {
    for (const char* number : {"1", "2", "3"})
      read_axis(table, *pattern->second, number, place, axes);
  } else if (!table.name().empty() && table.name() != "scalar") {
    place.fail(table.name(), "scalar, or the name of a power_lut_template group");
  }
  const LibertyAttribute* given = table.find("values");
  const std::vector<double> values =
      given == nullptr ? std::vector<double>() : liberty_numbers(given->values, place);
  EnergyTable& result = axes.table;
  if (values.size() == 1) result = {};  // the same everywhere, whatever the template
  if (values.size() != 1 && values.size() != axes.values) {
    place.fail(fmt::format("{} values", values.size()), fmt::format("{}", axes.values));
  }
  const std::size_t loads = std::max<std::size_t>(1, result.loads_pF.size());
  const std::size_t slews = std::max<std::size_t>(1, result.slews_ns.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t from = axes.loads_first ? i % loads * slews + i / loads : i;
    result.energies_pJ.push_back(units_.pJ(values[from]));
  }
  return std::move(result);
}

}  // namespace td::gate
