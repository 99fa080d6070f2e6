// SPDX-License-Identifier: Apache-2.0
// Counts the work in the passes that it hands on.
#pragma once

#include "base/configuration/config.hpp"
#include "sim/replay/pass_source.hpp"

namespace td::gate_replay {

/// Multiplications of so many passes, whatever tile does them.
struct Work {
  std::int64_t dense_macs = 0;      ///< all pairs of the streams that there are
  std::int64_t effectual_macs = 0;  ///< pairs without a zero
};

/// The passes of another source.
class WorkSource : public replay::PassSource {
 public:
  /// `dense_mode`: nothing is dropped, the tile's switch for it is on.
  WorkSource(const Config& config, replay::PassSource& passes, bool dense_mode);

  bool next(replay::Pass& pass) override;
  std::vector<replay::Tally> tallies() const override { return passes_.tallies(); }

  const Work& work() const { return work_; }

  /// Rows of the longest pass so far.
  std::int64_t longest_rows() const { return longest_rows_; }

 private:
  void count(const replay::Pass& pass);

  Config config_;
  replay::PassSource& passes_;
  bool dense_mode_;
  Work work_;
  std::int64_t longest_rows_ = 0;
};

}  // namespace td::gate_replay
