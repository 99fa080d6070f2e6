// SPDX-License-Identifier: Apache-2.0
// A table on a terminal: columns as wide as what stands in them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace td {

class TextTable {
 public:
  /// How a column stands under its heading.
  enum class Align { left, right };

  void add_column(const std::string& heading, Align align);

  /// One cell for each column. Text is UTF-8; every code point is taken to be one place wide.
  void add_row(std::vector<std::string> cells);

  /// Makes all lines at most `width` places wide by shortening what stands in one column, from the
  /// front, but to no fewer than `least` places.
  void fit(std::size_t width, std::size_t column, std::size_t least);

  /// The lines, headings first, each ending in a newline and without trailing spaces.
  std::string text() const;

 private:
  std::size_t width(std::size_t column) const;

  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> lines_{1};  ///< the first has the headings
};

}  // namespace td
