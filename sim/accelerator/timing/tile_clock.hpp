// SPDX-License-Identifier: Apache-2.0
// What a tile unit does, clock by clock: td1_turns, the passes of td1_tile, its output buffer and
// td1_collector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "gen/configuration/config.hpp"

namespace td::sim {

/// A compute descriptor, for one tile.
struct TileWork {
  std::vector<std::int64_t> groups;  ///< steps with each group of side B; none: it takes no part
  std::size_t repeats = 1;           ///< groups of side A: passes with each of these
  std::int64_t chunk_rows = 1;
  bool accumulate = false;

  std::size_t passes() const { return groups.size() * repeats; }
  std::int64_t steps(std::size_t pass) const { return groups[pass / repeats]; }
  std::int64_t all_steps() const;
};

/// td1_turns.
class TurnsClock {
 public:
  bool begins(const bool (&full)[2]) const { return !works_ && full[half_] && !done_[half_]; }
  std::size_t half() const { return half_; }
  bool done(std::size_t half) const { return done_[half]; }

  /// The end of the clock. `part`: the half has work; `busy`: it still goes on.
  void update(const bool (&full)[2], bool part, bool busy);

 private:
  std::size_t half_ = 0;
  bool works_ = false;
  bool done_[2] = {false, false};
};

class TileClock {
 public:
  explicit TileClock(const Config& config);

  /// What it stepped for in the clock that has ended; null if it did not.
  const TileWork* stepped() const { return stepped_; }

  bool fed(std::size_t half) const { return feed_.done(half); }
  bool collected(std::size_t half) const { return collect_.done(half); }

  /// One clock. `full`: halves to feed, and their work; `open`: to collect; `store_reads`: the
  /// store engine reads.
  void update(const bool (&full)[2], const TileWork* const (&feed)[2], const bool (&open)[2],
              const TileWork* const (&collect)[2], bool store_reads);

 private:
  bool reads() const { return collects_ && out_valid_ && collecting_->accumulate; }
  void step();
  void update_feed(const bool (&full)[2], const TileWork* const (&work)[2]);
  bool update_collect(const bool (&open)[2], const TileWork* const (&work)[2], bool store_reads);
  void update_buffer(bool complete, bool leaves);

  /// Passes that the tile is given; the next ones may come while it steps through these.
  struct Feeding {
    const TileWork* work;
    std::size_t pass;
    std::int64_t left, all_left;  ///< steps: of the pass, of all of them
    std::int64_t behind;          ///< ... that are left when the last row is in the tile
    int first_rows_in;            ///< clocks until the tile can step
  };

  std::int64_t latency_;  ///< clocks from a pass's last step to the output buffer
  std::int64_t stages_;   ///< of the adder that accumulates, with the register before it
  std::int64_t words_;    ///< of a pass
  std::int64_t slots_;    ///< of a staging buffer

  TurnsClock feed_;
  bool feeder_busy_ = false;
  std::deque<Feeding> feeding_;
  const TileWork* stepped_ = nullptr;
  std::deque<std::int64_t>
      outputs_;  ///< clocks in which the pipeline moves, until each is complete
  bool out_valid_ = false, out_room_ = true;

  TurnsClock collect_;
  const TileWork* collecting_ = nullptr;
  bool collects_ = false;
  std::int64_t moving_ = 0;  ///< clocks until the last word is written
  std::size_t output_ = 0;
  std::int64_t word_ = 0;
};

}  // namespace td::sim
