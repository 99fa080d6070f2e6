// SPDX-License-Identifier: Apache-2.0
// Power tables of a liberty file.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/gate/liberty/liberty.hpp"
#include "sim/gate/liberty/liberty_syntax.hpp"
#include "sim/gate/liberty/liberty_units.hpp"

namespace td::gate {

/// Reads tables with the help of the library's templates.
class TableReader {
 public:
  /// The group and the path must outlive it.
  TableReader(const LibertyGroup& library, const LibertyUnits& units, const std::string& path);

  /// A `rise_power`, `fall_power` or `power` group. Throws UserError.
  EnergyTable read(const LibertyGroup& table, const std::string& field) const;

 private:
  struct Axes;
  void read_axis(const LibertyGroup& table, const LibertyGroup& pattern, const std::string& number,
                 const LibertyPlace& place, Axes& axes) const;

  std::map<std::string_view, const LibertyGroup*> templates_;
  LibertyUnits units_;
  const std::string* path_;
};

}  // namespace td::gate
