// SPDX-License-Identifier: Apache-2.0
// The one table of what is reported of an operation: JSON, CSV, the terminal's table and the
// dictionary of fields show it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "sim/results/run_result.hpp"

namespace td::sim {

/// What a column has to say; nothing where it has no meaning, as a ratio to zero cycles.
using Value = std::variant<std::monostate, std::string, bool, std::int64_t, double>;

/// How the terminal shows a value.
enum class Style {
  text,
  count,    ///< whole numbers
  factor,   ///< two decimals
  percent,  ///< of a ratio 0…1, one decimal
  mark      ///< `yes` or nothing
};

struct Column {
  std::string name;     ///< in JSON and CSV, with its unit
  std::string heading;  ///< on the terminal; empty: not shown there
  Style style = Style::count;
  bool of_sums = true;  ///< means something of the sum of several operations
  std::function<Value(const OpResult&, const ArraySize&)> value;
  std::string meaning;  ///< a phrase of the dictionary
};

/// Every column, in the order in which they are shown.
const std::vector<Column>& columns();

/// `part` over `whole`; nothing where that is zero.
Value ratio(std::int64_t part, std::int64_t whole);

/// A column that is a text or fact of one operation.
Column fact(std::string name, std::string heading, Style style,
            std::function<Value(const OpResult&)> value, std::string meaning);

/// A column that can be taken of sums.
Column quantity(std::string name, std::string heading, Style style,
                std::function<Value(const OpResult&)> value, std::string meaning);

/// The columns of the machine and of energy, a part of columns().
void add_machine_columns(std::vector<Column>& all);
void add_energy_columns(std::vector<Column>& all);

/// A ratio in tenths of a percent, rounded as the terminal shows it.
std::int64_t percent_tenths(double ratio);

/// What the terminal shows; `-` for no value.
std::string terminal_text(const Value& value, Style style);

/// Without rounding: the shortest text that reads back as the same
/// number; empty for no value.
std::string exact_text(const Value& value);

}  // namespace td::sim
