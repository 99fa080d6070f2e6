// SPDX-License-Identifier: Apache-2.0
// What the compute engine does, clock by clock: td1_compute, td1_fill and all tiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/accelerator/timing/clock_state.hpp"
#include "sim/accelerator/timing/clock_use.hpp"
#include "sim/accelerator/timing/compute/tile_clock.hpp"

namespace td::sim {

/// A compute descriptor. Tiles of a line of side B have the same work.
struct ComputeWork {
  std::int64_t fill = 0;              ///< clocks of the longer fill
  std::vector<std::int64_t> groups;   ///< steps of passes, line by line: what lines point to
  std::vector<TileWork> lines;        ///< by line of side B
  std::vector<std::int64_t> line_of;  ///< by tile; -1: it takes no part
  std::size_t number = 0;             ///< the same of computes that are alike

  /// Of a tile; null if it takes no part.
  const TileWork* work(std::size_t tile) const {
    return line_of[tile] < 0 ? nullptr : &lines[static_cast<std::size_t>(line_of[tile])];
  }
};

/// Tiles are looked at again only when all may be through with a half. Those that always have the
/// same work are one; one that the store engine holds up goes on by itself until it has caught up.
class ComputeClock {
 public:
  /// For these computes. Counts in `use` whenever all steps are known; others() of a clock must
  /// come before that clock is updated or counted.
  /// `keep_steps`: whether stepped() is asked for.
  ComputeClock(const Config& config, const std::vector<ComputeWork>& computes, ClockUseCounter& use,
               bool keep_steps);

  /// From now on; for one that was copied.
  void count_in(ClockUseCounter& use);

  bool filling() const { return filling_; }  ///< for the descriptor that was accepted last

  bool brings() const { return fill_left_ > 0; }                   ///< operands, in this clock
  bool works() const { return filling_ || open_[0] || open_[1]; }  ///< on what it has accepted

  bool ready() const { return !filling_ && !full_[half_]; }     ///< for a descriptor
  bool done() const { return collected_[0] || collected_[1]; }  ///< with one

  /// The end of the clock. `accepted`: a descriptor, or null; `store`: the tile whose results the
  /// store engine reads, or none of them.
  void update(const ComputeWork* accepted, std::size_t store);

  /// Coming clocks in which it surely only counts, if `store` stays as it is and nothing is
  /// accepted.
  std::int64_t quiet() const;
  /// So many of them.
  void count(std::int64_t clocks, std::size_t store);

  /// Counts all clocks before the next one.
  void catch_up();
  /// Caught up.
  void add_state(ClockState& state) const;
  void skip(const Stride& stride);

  /// What a tile has stepped for.
  const std::vector<TileSteps>& stepped(std::size_t tile) const { return stepped_[tile]; }

 private:
  TileInputs inputs(std::size_t tile) const;
  TileInputs bring(std::size_t tile);
  void look_at(std::size_t tile);
  void look_at_all();
  void pass(std::int64_t clocks, std::size_t store);
  void see();
  template <class Through>
  void see(bool half, bool& all, Through through);
  void set_leaders();
  void keep_stepped(std::size_t leader);
  bool can_be_held_up(std::size_t tile) const;
  void part_held_up();
  void join_caught_up();

  ClockUseCounter* use_;
  bool keep_steps_;
  std::vector<std::vector<TileSteps>> stepped_;  ///< by tile
  std::vector<TileClock> tiles_;                 ///< by tile; of leaders alone
  std::vector<std::size_t> alike_;               ///< by tile: the first one with the same work
  std::vector<std::size_t> leader_;              ///< by tile: the one that stands for it
  std::vector<std::size_t> leaders_;             ///< all of these
  std::vector<std::int64_t> quiet_;  ///< by tile: the clock at whose begin it is looked at again
  std::int64_t next_;                ///< ... when all tiles may be through with a half
  std::int64_t now_ = 1;
  std::size_t store_;
  bool filling_ = false;
  std::int64_t fill_left_ = 0;  ///< clocks until both sides are filled
  std::size_t half_ = 0;        ///< that is filled next
  bool full_[2] = {false, false};
  bool open_[2] = {false, false};
  bool fed_[2] = {false, false};                     ///< full, and all tiles have been fed
  bool collected_[2] = {false, false};               ///< open, and all outputs have been collected
  const ComputeWork* work_[2] = {nullptr, nullptr};  ///< of the halves
  const ComputeWork* outputs_[2] = {nullptr, nullptr};  ///< ... whose outputs are collected
};

}  // namespace td::sim
