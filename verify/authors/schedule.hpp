// SPDX-License-Identifier: Apache-2.0
// The scheduler and the count of cycles: sections "Scheduler" and "Counting".
#pragma once

#include <cstdint>
#include <vector>

#include "verify/authors/rules.hpp"
#include "verify/authors/streams.hpp"

namespace td::authors {

/// Rows that may leave, empty, with the row before them: depth 3 less the row in use.
inline constexpr int kFreeRows = 2;

/// Row by row, whether it is empty in all streams of a set.
using EmptyRows = std::vector<bool>;

/// "Scheduler": promotes elements of a set of streams that move together, over all their rows, and
/// returns which rows are empty then. By the authors' start leading empty rows are skipped like
/// any other; by ours row 0 never is.
EmptyRows schedule(std::vector<Stream> set, By start);

/// Which rows of a set are empty as they come.
EmptyRows empty_rows(const std::vector<Stream>& set);

/// "Counting": walks scheduled rows and counts the cycles that they cost. By the authors' rules the
/// counter `skip` runs on from pass to pass and starts with the first kFreeRows rows free.
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
