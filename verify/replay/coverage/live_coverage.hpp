// SPDX-License-Identifier: Apache-2.0
// Coverage of lanes that idle, behind which registers rest: how they begin and end to, and beside
// what.
#pragma once

#include <vector>

#include "verify/replay/coverage/bins.hpp"
#include "verify/replay/coverage/held_rows.hpp"

namespace td::verify {

class LiveCoverage {
 public:
  LiveCoverage(const Config& config, Bins& bins);

  /// A step, with the rows as it finds them.
  void on_step(const Seen& seen, const HeldRows& rows);

  /// A clock without a step.
  void on_wait(const Seen& seen) { held_ = held_ || !seen.enable; }

  void on_reset();

 private:
  void on_row(const Seen& seen, const HeldRows& rows, int row);

  const Config config_;
  Bins& bins_;
  Bins::Id idles_ = 0;  ///< a lane, after a live step
  Bins::Id stays_idle_ = 0;
  Bins::Id wakes_ = 0;               ///< a lane, after an idle step
  Bins::Id wakes_held_ = 0;          ///< ... and the pipeline held in between
  Bins::Id row_wakes_ = 0;           ///< a tile row of which every lane idled
  Bins::Id nonfinite_ = 0;           ///< Inf or NaN is multiplied beside an idle lane
  bool stepped_ = false;             ///< since reset
  bool held_ = false;                ///< the pipeline, since the last step
  std::vector<sim::LaneMask> live_;  ///< [tile row], in the last step
};

}  // namespace td::verify
