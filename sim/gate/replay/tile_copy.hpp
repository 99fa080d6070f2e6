// SPDX-License-Identifier: Apache-2.0
// One of the 64 copies of the tile: what it is offered, and the judgement of what it delivers.
#pragma once

#include "sim/gate/replay/tile_pins.hpp"
#include "sim/replay/predictor.hpp"
#include "sim/replay/scoreboard.hpp"
#include "sim/replay/stimulus.hpp"

namespace td::gate_replay {

/// Serves its copy at full rate: as many rows as there are up to the depth, and no output waits.
class TileCopy {
 public:
  /// `number` is the copy's, 0…63; passes are taken from `source` as the tile takes rows.
  TileCopy(const Config& config, replay::PassSource& source, int number);

  /// Puts the offer of this clock on the ports. Rows that are not offered keep what the port showed
  /// before, as an idle bus does: other values would toggle gates for no work. That they do not
  /// matter is for tdreplay to show.
  void offer(TilePins& pins);

  /// Sees what the ports settled to in this clock. `patience` is how many clocks an output may
  /// take.
  void observe(const TilePins& pins, std::int64_t clock, std::int64_t patience);

  /// Compares the tile's counters with what they must show in the end.
  void check_counters(const TilePins& pins, std::int64_t clock);

  /// Rows have moved, and their outputs are not all delivered.
  bool busy() const { return started_ && !done(); }
  bool done() const { return hung_ || (stimulus_.exhausted() && scoreboard_.idle()); }

  const replay::Scoreboard& scoreboard() const { return scoreboard_; }

 private:
  void observe_output(const TilePins& pins, std::int64_t clock);

  Config config_;
  int number_;
  replay::Scoreboard scoreboard_;
  replay::Predictor predictor_;
  replay::Stimulus stimulus_;
  int a_ready_ = 0;
  int b_ready_ = 0;
  bool started_ = false;
  bool hung_ = false;
  std::int64_t first_step_ = -1;  ///< clock of the tile's first step; -1: none yet
  std::int64_t last_output_ = 0;  ///< clock
  std::vector<std::uint32_t> bits_;
  std::vector<bool> nonfinite_;
};

}  // namespace td::gate_replay
