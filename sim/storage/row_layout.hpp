// SPDX-License-Identifier: Apache-2.0
// A scheduled row in memory: values, selects and the advance, bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"

namespace td::sim {

/// What the scheduler leaves of a step: for each lane an element, and how far the window moves.
struct ScheduledRow {
  std::vector<std::uint32_t> values;  ///< operand bits; +0: the lane idles
  std::vector<int> selects;           ///< option it was taken through; 0 where the lane idles
  int advance = 1;                    ///< 1…depth

  friend bool operator==(const ScheduledRow& x, const ScheduledRow& y) {
    return x.values == y.values && x.selects == y.selects && x.advance == y.advance;
  }
};

/// From bit 0 on: the lanes' values, the lanes' selects, the advance less 1. No select says that a
/// lane idles: what is taken never is zero, so a zero says it.
class RowLayout {
 public:
  /// Of a configuration that is not dense; throws std::invalid_argument otherwise.
  explicit RowLayout(const Config& config);

  int value_bits() const { return value_bits_; }
  int select_bits() const { return select_bits_; }
  int advance_bits() const { return advance_bits_; }
  /// Of a row that is not scheduled.
  int plain_bits() const { return lanes_ * value_bits_; }
  /// Of a scheduled row.
  int bits() const { return lanes_ * (value_bits_ + select_bits_) + advance_bits_; }

  std::vector<bool> pack(const ScheduledRow& row) const;

  /// Any bits() bits are a row; whether the scheduler makes such rows, the reader finds out.
  ScheduledRow unpack(const std::vector<bool>& bits) const;

 private:
  int lanes_;
  int value_bits_;
  int select_bits_;
  int advance_bits_;
};

}  // namespace td::sim
