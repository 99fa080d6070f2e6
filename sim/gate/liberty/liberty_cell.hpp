// SPDX-License-Identifier: Apache-2.0
// One cell of a liberty file.
#pragma once

#include <optional>
#include <string>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/liberty/liberty_tables.hpp"

namespace td::gate {

/// What a library says for all its cells, in its own units.
struct LibertyDefaults {
  std::optional<double> input_capacitance;
  std::optional<double> leakage;
};

/// A `cell` group; nothing when it has a bus, a bundle or a bidirectional pin, which no gate of our
/// netlists has. Throws UserError.
std::optional<Cell> read_cell(const LibertyGroup& group, const TableReader& tables,
                              const LibertyUnits& units, const LibertyDefaults& defaults,
                              const std::string& path);

}  // namespace td::gate
