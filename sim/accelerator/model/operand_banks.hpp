// SPDX-License-Identifier: Apache-2.0
// Where the rows of an operand memory lie in its banks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/configuration/geometry.hpp"

namespace td::sim {

/// log2 of a power of two.
inline unsigned log2_of(std::int64_t power) {
  unsigned bits = 0;
  while ((power >> bits) > 1) ++bits;
  return bits;
}

/// Whether descriptors may say so. Where there is one bank, nobody looks at it.
inline bool is_interleave(const Geometry& geometry, unsigned interleave) {
  return geometry.fill_rows == 1 || geometry.fill_rows << interleave <= geometry.operand_rows;
}

/// The bank of a row: the bits of its number from bit `interleave` on. Lower bits turn the highest
/// of them, so that any rows of a beat are in different banks.
inline std::int64_t bank_of(const Geometry& geometry, std::int64_t row, unsigned interleave) {
  const unsigned turned = log2_of(geometry.write_rows());
  const std::int64_t low = row & (geometry.write_rows() - 1);
  const std::int64_t turn =
      low << turned >> std::min(interleave, turned) & (geometry.write_rows() - 1);
  return (row >> interleave & (geometry.fill_rows - 1)) ^
         turn * (geometry.fill_rows / geometry.write_rows());
}

/// The place of a row: its bank, and behind that the word there, of the bits that are left.
inline std::int64_t place_of(const Geometry& geometry, std::int64_t row, unsigned interleave) {
  if (geometry.fill_rows == 1) return row;
  const std::int64_t low = row & ((std::int64_t{1} << interleave) - 1);
  const std::int64_t high = row >> interleave >> log2_of(geometry.fill_rows);
  const std::int64_t word = high << interleave | low;
  return bank_of(geometry, row, interleave) * (geometry.operand_rows / geometry.fill_rows) + word;
}

}  // namespace td::sim
