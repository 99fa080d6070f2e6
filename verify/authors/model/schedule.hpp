// SPDX-License-Identifier: Apache-2.0
// The scheduler and the count of cycles: sections "Scheduler" and "Counting".
#pragma once

#include <cstdint>
#include <vector>

#include "verify/authors/model/rules.hpp"
#include "verify/authors/model/streams.hpp"

namespace td::authors {

/// Rows that may leave, empty, with the row before them: depth 3 less the row in use.
inline constexpr int kFreeRows = 2;

/// Row by row, whether it is empty in all streams of a set.
using EmptyRows = std::vector<bool>;

/// "Scheduler": promotes elements of a set of streams that move together, over all their rows, and
/// returns which rows are empty then.
///
/// A row that is not skipped looks kFreeRows ahead, and at most kFreeRows follow it for free: the
/// same as a window of kFreeRows + 1 rows with an advance of 1...kFreeRows + 1. So the authors'
/// walk over a whole stream differs from our window only before the first row that is not skipped:
/// theirs skips leading empty rows without promoting into them, ours never skips row 0. `start` is
/// that difference. The text leaves no doubt that this counter starts anew with each stream, and
/// the published figures agree: it is another one than that of the count.
EmptyRows schedule(std::vector<Stream> set, By start);

/// Which rows of a set are empty as they come.
EmptyRows empty_rows(const std::vector<Stream>& set);

/// "Counting": walks scheduled rows and counts the cycles that they cost. By the authors' rules
/// `skip` runs on from pass to pass and finds up to kFreeRows leading rows free; a counter is made
/// for each image, or phase. By ours each pass starts anew, with a row that costs its cycle. Either
/// way a row that costs a cycle does so however little it holds.
class CycleCounter {
 public:
  explicit CycleCounter(const Rules& rules);
  void count_pass(const EmptyRows& rows);
  std::int64_t cycles() const { return cycles_; }

 private:
  bool reset_each_pass_;
  int start_;
  int skip_;
  std::int64_t cycles_ = 0;
};

}  // namespace td::authors
