// SPDX-License-Identifier: Apache-2.0
// Where the testbench gets its passes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/tile.hpp"

namespace td::replay {

/// One pass and what it belongs to.
struct Pass {
  sim::PassData data;
  std::size_t tally = 0;    ///< index into PassSource::tallies()
  std::int64_t number = 0;  ///< of the pass within the tally, for messages
  int present_rows = 0;     ///< tile rows in use; outputs of the others are zero, not counted
  int present_columns = 0;  ///< tile columns in use
  /// Cycles by the whole-network simulation, which works with zeros alone; absent: not simulated.
  std::optional<std::int64_t> simulated_cycles;
  /// Cycles had the tensors no zeros, so that only what was filled in is dropped.
  std::int64_t zero_free_cycles = 0;
};

/// A line of the report: the passes of one layer and operation, or of one kind of random streams.
struct Tally {
  std::string snapshot;
  std::string layer;
  std::string op;
  std::string side_b;           ///< tensor on side B
  double zero_share = 0.0;      ///< of the operand on side B, 0…1
  std::int64_t all_passes = 0;  ///< that there are
  std::int64_t passes = 0;      ///< selected for replay
  std::int64_t passes_done = 0;
  std::int64_t dense_cycles = 0;      ///< rows of the passes replayed
  std::int64_t zero_free_cycles = 0;  ///< of the passes replayed, had the tensors no zeros
  std::int64_t cycles = 0;            ///< in which the tile stepped for them
  std::int64_t outputs = 0;           ///< compared
  std::int64_t mismatches = 0;        ///< outputs, flags or cycle counts that differed
};

class PassSource {
 public:
  virtual ~PassSource() = default;
  /// Fills in the next pass; false when there is none.
  virtual bool next(Pass& pass) = 0;
  /// One for each line of the report, with the fields known beforehand.
  virtual std::vector<Tally> tallies() const = 0;
};

}  // namespace td::replay
