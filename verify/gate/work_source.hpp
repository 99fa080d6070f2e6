// SPDX-License-Identifier: Apache-2.0
// Counts the work in the passes that it hands on.
#pragma once

#include "gen/config.hpp"
#include "verify/replay/pass_source.hpp"

namespace td::verify {

/// Multiplications of so many passes, whatever tile does them.
struct Work {
  std::int64_t dense_macs = 0;      ///< all pairs of the streams that there are
  std::int64_t effectual_macs = 0;  ///< pairs without a zero
};

/// The passes of another source.
class WorkSource : public PassSource {
 public:
  /// `dense_mode`: nothing is dropped, the tile's switch for it is on.
  WorkSource(const Config& config, PassSource& passes, bool dense_mode);

  bool next(Pass& pass) override;
  std::vector<Tally> tallies() const override { return passes_.tallies(); }

  const Work& work() const { return work_; }

  /// Rows of the longest pass so far.
  std::int64_t longest_rows() const { return longest_rows_; }

 private:
  void count(const Pass& pass);

  Config config_;
  PassSource& passes_;
  bool dense_mode_;
  Work work_;
  std::int64_t longest_rows_ = 0;
};

}  // namespace td::verify
