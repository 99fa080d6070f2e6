// SPDX-License-Identifier: Apache-2.0
// Decides, clock by clock, what the testbench offers the tile: rows, flags, mode and stalls.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sim/replay/pass_source.hpp"
#include "sim/replay/row_feed.hpp"

namespace td::replay {

/// How often ports wait.
struct Waits {
  double stall = 0.0;      ///< probability that a port is not served in a clock, 0…1
  double pause = 0.0;      ///< probability that a long wait of some ports begins in a clock
  std::uint64_t seed = 1;  ///< of the waits
};

/// What stands on the tile's row ports in one clock.
struct Offer {
  int a_rows = 0;
  int b_rows = 0;
  std::vector<std::uint32_t> a_words;
  std::vector<std::uint32_t> b_words;
  std::uint32_t last = 0;            ///< bit per offered row
  std::uint32_t last_of_output = 0;  ///< bit per offered row
  std::uint32_t a_e5m2 = 0;          ///< bit per offered row; of Format::fp8
  std::uint32_t b_e5m2 = 0;          ///< ... of side B
  bool dense = false;
  bool mode_matters = false;  ///< an offered row begins a stream
};

/// Draws passes from the source as the tile takes rows; what they must come to is a Predictor's.
class Stimulus {
 public:
  Stimulus(const Config& config, PassSource& source, const Waits& waits);

  /// Ends a clock in which the tile was ready for so many rows, and makes the next offer.
  const Offer& clock(int a_ready, int b_ready);

  /// Whether outputs are accepted in the next clock.
  bool accept_output() { return !pauses(kOutput) && !stalls(); }

  /// Whether there are more rows of a side than the offer has.
  bool more(Side side) const {
    return feed_.available(side) > (side == Side::a ? offer_.a_rows : offer_.b_rows);
  }

  /// Drops every row that is in flight.
  void reset();

  /// Nothing is left to offer.
  bool exhausted() const {
    return drained_ && feed_.available(Side::a) == 0 && feed_.available(Side::b) == 0;
  }

 private:
  /// Ports that a long wait stops, as bits.
  enum Port : unsigned { kSideA = 1, kSideB = 2, kOutput = 4, kAllPorts = 7 };

  bool draw(double probability);
  bool stalls() { return draw(stall_); }
  bool pauses(Port port) const { return pause_left_ > 0 && (paused_ & port) != 0; }
  void start_pause();
  void refill();
  int offered_rows(Side side);
  int rows_of_one_mode(int rows);
  std::uint32_t e5m2_rows(Side side, int offered) const;

  Config config_;
  PassSource& source_;
  RowFeed feed_;
  double stall_;
  double pause_;
  unsigned paused_ = 0;          ///< ports that wait
  std::int64_t pause_left_ = 0;  ///< clocks
  std::mt19937_64 random_;
  bool drained_ = false;  ///< the source has no more passes
  Pass pass_;
  Offer offer_;
};

}  // namespace td::replay
