// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/liberty/liberty_cut.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "base/support/error.hpp"
#include "sim/gate/liberty/liberty_syntax.hpp"
#include "sim/gate/liberty/liberty_units.hpp"

namespace td::gate {

namespace {

/// ABC does not go beyond the largest fan-out in the table; OpenSTA follows the slope.
constexpr int fanouts = 256;

std::string wire_load(double load) {
  std::string lengths;
  for (int i = 1; i <= fanouts; ++i) lengths += fmt::format(" fanout_length ({0}, {0});", i);
  return fmt::format(
      "  default_wire_load : \"td_fanout\";\n"
      "  wire_load (\"td_fanout\") {{ resistance : 0; capacitance : {:g}; area : 0; slope : 1;{} "
      "}}\n",
      load, lengths);
}

}  // namespace

std::string with_area(std::string_view text, const std::string& path, std::string_view cell,
                      double area) {
  const LibertyGroup library = parse_liberty(text, path);
  for (const LibertyGroup& group : library.groups) {
    const LibertyAttribute* const attribute = group.find("area");
    if (group.type != "cell" || group.name() != cell || attribute == nullptr) continue;
    const auto first = static_cast<std::size_t>(attribute->name.data() - text.data());
    const std::size_t end = text.find_first_of(";}\n", first);
    return fmt::format("{}area : {:g}{}", text.substr(0, first), area, text.substr(end));
  }
  throw UserError(path, "area", cell, "a cell that has one");
}

std::string with_wires(std::string_view text, const std::string& path, double pF) {
  const LibertyGroup library = parse_liberty(text, path);
  std::string result;
  std::size_t position = 0;
  for (const LibertyAttribute& attribute : library.attributes) {
    if (attribute.name.substr(0, 17) != "default_wire_load") continue;
    const auto first = static_cast<std::size_t>(attribute.name.data() - text.data());
    result += text.substr(position, first - position);
    position = text.find_first_of(";\n", first) + 1;
  }
  const auto end =
      static_cast<std::size_t>(library.text.data() - text.data()) + library.text.size();
  result += text.substr(position, end - 1 - position);
  result += wire_load(pF / read_units(library, path).pF(1));
  result += text.substr(end - 1);
  return result;
}

std::string without_cells(std::string_view text, const std::string& path,
                          const std::vector<std::string>& patterns) {
  const LibertyGroup library = parse_liberty(text, path);
  std::string kept;
  std::size_t position = 0;
  for (const LibertyGroup& group : library.groups) {
    const std::string name(group.name());
    if (group.type != "cell" ||
        std::none_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
          return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
        }))
      continue;
    const auto first = static_cast<std::size_t>(group.text.data() - text.data());
    kept += text.substr(position, first - position);
    position = first + group.text.size();
  }
  kept += text.substr(position);
  return kept;
}

}  // namespace td::gate
