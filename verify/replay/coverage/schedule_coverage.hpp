// SPDX-License-Identifier: Apache-2.0
// Coverage of the schedulers and of what they let go: options, levels, advances, modes.
#pragma once

#include <vector>

#include "verify/replay/coverage/bins.hpp"
#include "verify/replay/coverage/held_rows.hpp"

namespace td::verify {

class ScheduleCoverage {
 public:
  ScheduleCoverage(const Config& config, Bins& bins);

  /// A step, with the rows as it finds them.
  void on_step(const Seen& seen, const HeldRows& rows);

  /// A clock without a step.
  void on_wait() { step_before_ = false; }

  void on_reset() { stepped_ = false; }

 private:
  struct RowBins {
    Bins::Id nothing;  ///< no lane has a pair
    Bins::Id all;      ///< every lane has one
    Bins::Id limits;   ///< it alone keeps the tile back
  };
  struct LevelBins {
    Bins::Id later;  ///< a lane takes a later option than it would without earlier levels
    Bins::Id idle;   ///< ... has nothing left
  };

  void declare_options();
  void declare_levels();
  void declare_advances();
  void declare_modes();
  bool can_take_later(int level) const;
  bool conflicts(int level) const;
  void on_row(const Seen& seen, const HeldRows& rows, int row);
  void on_lane(const HeldRows& rows, int row, int lane, std::uint64_t select, int eligible);
  void on_advance(const Seen& seen);
  void on_mode(const Seen& seen, bool first);

  const Config config_;
  Bins& bins_;
  std::vector<int> level_of_;       ///< [lane]
  std::vector<Bins::Id> taken_;     ///< [option][lane]
  std::vector<LevelBins> levels_;   ///< of level 1 and up
  std::vector<Bins::Id> advances_;  ///< [advance - 1]
  std::vector<RowBins> rows_;
  Bins::Id at_the_end_ = 0;         ///< the stream's end limits the advance
  Bins::Id together_ = 0;           ///< several tile rows limit it
  std::vector<Bins::Id> switches_;  ///< [to dense][in consecutive clocks]
  std::vector<Bins::Id> modes_;     ///< [dense]
  bool stepped_ = false;            ///< since reset
  bool step_before_ = false;        ///< in the clock before
  bool dense_before_ = false;
};

}  // namespace td::verify
