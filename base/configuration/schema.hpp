// SPDX-License-Identifier: Apache-2.0
// The configuration as other programs read about it.
#pragma once

#include <string>

namespace td {

/// JSON Schema (2020-12) of a configuration, from the table of parameters: types, ranges, choices,
/// defaults, descriptions. What JSON Schema has no word for stands under x-unit, x-legal (what
/// messages say), x-source (of the default), x-absent-when (values of other parameters with which
/// this one must not be given) and x-formats (traits of the number formats). Rules that compare
/// parameters are tdgen's alone.
std::string emit_schema();

}  // namespace td
