// SPDX-License-Identifier: Apache-2.0
// Writer and reader of scheduled storage: exact in every bit.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sim/model/scheduler.hpp"
#include "sim/storage/row_layout.hpp"

namespace td::sim {

/// What a reader says of rows that no writer makes.
class BadRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An element that a lane takes in a step.
struct StoredElement {
  int lane;
  std::int64_t element;  ///< row of the run * lanes + lane that it comes from
  std::uint32_t value;   ///< operand bits

  friend bool operator==(const StoredElement& x, const StoredElement& y) {
    return x.lane == y.lane && x.element == y.element && x.value == y.value;
  }
};

/// Runs of rows through the scheduler of a configuration into memory, and back. A run is scheduled
/// by itself, one-sided: its first row begins a window, and its last ends one.
class ScheduledRuns {
 public:
  /// Throws std::invalid_argument for a dense configuration.
  explicit ScheduledRuns(const Config& config);

  const RowLayout& layout() const { return layout_; }

  /// Scheduled rows of a run, packed. `operands` are the bits [row][lane] of one row or more.
  std::vector<std::vector<bool>> write(const std::vector<std::uint32_t>& operands) const;

  /// For the tile as they are: what the lanes take in each step of a run of `rows` rows, in the
  /// order of the lanes. Throws BadRun for what write() cannot have made, as far as can be seen.
  std::vector<std::vector<StoredElement>> steps(const std::vector<std::vector<bool>>& packed,
                                                std::int64_t rows) const;

  /// In front of staging: the operands [row][lane] that went in, -0 as +0. Throws as steps().
  std::vector<std::uint32_t> restore(const std::vector<std::vector<bool>>& packed,
                                     std::int64_t rows) const;

 private:
  std::vector<StoredElement> elements(const ScheduledRow& row, std::int64_t first,
                                      std::int64_t rows) const;

  Config config_;
  RowLayout layout_;
  Scheduler scheduler_;
};

}  // namespace td::sim
