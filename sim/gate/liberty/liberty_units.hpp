// SPDX-License-Identifier: Apache-2.0
// Numbers of a liberty file, and the units that it counts in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/gate/liberty/liberty_syntax.hpp"

namespace td::gate {

/// Where a text stands, for messages: file and field.
struct LibertyPlace {
  std::string_view path;
  std::string_view field;

  [[noreturn]] void fail(std::string_view value, const std::string& legal) const;
};

/// A name that is not empty and that a terminal shows. Throws UserError.
std::string liberty_name(std::string_view text, const LibertyPlace& place);

/// A finite number. Throws UserError.
double liberty_number(std::string_view text, const LibertyPlace& place);

/// A finite number that is not negative: an area, a capacitance, a power. Throws UserError.
double liberty_amount(std::string_view text, const LibertyPlace& place);

/// Numbers between commas, blanks and ends of lines, in all values together. Throws UserError.
std::vector<double> liberty_numbers(const std::vector<std::string_view>& values,
                                    const LibertyPlace& place);

/// The number that a group gives to an attribute, or `missing`. Throws UserError.
double liberty_number_of(const LibertyGroup& group, std::string_view attribute, double missing,
                         const LibertyPlace& place);

/// The amount that a group gives to an attribute, or `missing`; without that it must give one.
/// Throws UserError.
double liberty_amount_of(const LibertyGroup& group, std::string_view attribute,
                         std::optional<double> missing, const LibertyPlace& place);

/// One unit of the file in units of ours.
struct Unit {
  double number = 1;
  int exponent = 0;  ///< of ten

  /// A value in our unit: exact where that is a power of ten more, correctly rounded where less.
  double operator()(double value) const;
};

/// A file that gives no units counts in 1 ns, 1 pF, 1 V and 1 nW.
struct LibertyUnits {
  Unit ns;
  Unit pF;
  Unit uW;  ///< of leakage
  Unit pJ;  ///< of internal power, which is an energy: the unit of voltage squared times that of
            ///< load
};

/// Throws UserError for a unit that is none.
LibertyUnits read_units(const LibertyGroup& library, const std::string& path);

}  // namespace td::gate
