// SPDX-License-Identifier: Apache-2.0
// What a tile unit does, clock by clock: td1_turns, the passes of td1_tile, its output buffer and
// td1_collector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/accelerator/timing/clock_state.hpp"
#include "sim/accelerator/timing/clock_use.hpp"
#include "sim/accelerator/timing/ring.hpp"

namespace td::sim {

/// A compute descriptor, for the tiles of a line of side B.
struct TileWork {
  const std::int64_t* groups = nullptr;  ///< steps with each group of side B
  std::size_t group_count = 0;
  std::size_t repeats = 1;   ///< groups of side A: passes with each of these
  std::int64_t behind = 0;   ///< steps that are left when the last row is in the tile
  std::int64_t least = 1;    ///< steps of the shortest pass
  std::int64_t collect = 1;  ///< clocks in which the words of a pass leave
  /// Rows of a pass, where the staging buffers hold more; else 0. The scratchpads bring rows of one
  /// pass in a clock, so the buffers need not be full when the last row comes.
  std::int64_t short_rows = 0;
  bool accumulate = false;

  std::size_t number = 0;  ///< the same of works that are alike

  std::size_t passes() const { return group_count * repeats; }
  std::int64_t steps(std::size_t pass) const { return groups[pass / repeats]; }
  std::int64_t all_steps() const;
};

/// td1_turns.
class TurnsClock {
 public:
  bool begins(const bool (&full)[2]) const { return !works_ && full[half_] && !done_[half_]; }
  bool works() const { return works_; }
  std::size_t half() const { return half_; }
  bool done(std::size_t half) const { return done_[half]; }
  /// All that it goes on by.
  std::tuple<std::size_t, bool, bool, bool> state() const {
    return {half_, works_, done_[0], done_[1]};
  }

  /// Whether the next clock changes something; `busy` as in update().
  bool turns(const bool (&full)[2], bool busy) const;

  /// The end of the clock. `part`: the half has work; `busy`: it still goes on.
  void update(const bool (&full)[2], bool part, bool busy);

 private:
  std::size_t half_ = 0;
  bool works_ = false;
  bool done_[2] = {false, false};
};

/// What a tile unit sees around it; the same for as long as it is not told otherwise.
struct TileInputs {
  bool full[2] = {false, false};                    ///< halves to feed
  bool open[2] = {false, false};                    ///< ... to collect
  const TileWork* feed[2] = {nullptr, nullptr};     ///< their work
  const TileWork* collect[2] = {nullptr, nullptr};  ///< ... too
  bool store_reads = false;                         ///< the store engine reads
};

/// When a tile stepped for a compute descriptor.
struct TileSteps {
  const TileWork* work;
  std::int64_t begin;  ///< clock of the first step
  std::int64_t end;    ///< ... behind the last one
};

class TileClock {
 public:
  /// `collect`: the longest of the works that it will see. Tells `use` when it steps. `keep_steps`:
  /// whether take_stepped() is asked for.
  TileClock(const Config& config, std::int64_t collect, ClockUseCounter& use, bool keep_steps);

  void count_in(ClockUseCounter& use) { use_ = &use; }

  bool fed(std::size_t half) const { return feed_.done(half); }
  bool collected(std::size_t half) const { return collect_.done(half); }

  /// Goes on until the begin of clock `now`, counted from the job's first.
  void advance(std::int64_t now, const TileInputs& inputs);

  /// Clocks from here in which fed() and collected() surely stay as they are with these inputs.
  std::int64_t quiet(const TileInputs& inputs) const;

  /// Whether both do the same from now on with the same inputs; both are at the same clock.
  bool goes_on_like(const TileClock& other) const;

  /// What goes_on_like() compares, but works by their numbers.
  void add_state(ClockState& state) const;
  void skip(const Stride& stride);

  /// Of the descriptors that it has stepped for since the last call.
  std::vector<TileSteps> take_stepped() { return std::exchange(stepped_, {}); }

 private:
  /// Passes that the tile is given; the next ones may come while it steps through these.
  struct Feeding {
    const TileWork* work;
    std::size_t pass;
    std::int64_t left, all_left;  ///< steps: of the pass, of all of them
    std::int64_t first_step;      ///< clock from which on the tile can step
    std::int64_t begin;           ///< ... in which it did
    std::int64_t rows;            ///< of short passes: not in the tile yet
  };

  bool complete() const { return !outputs_.empty() && outputs_.front() == moved_ + 1; }
  bool enabled() const { return out_room_ || !complete(); }
  bool steps() const { return !feeding_.empty() && feeding_.front().first_step <= now_; }
  bool collect_busy() const { return collects_ || moving_ > 0; }
  bool moves(const TileInputs& inputs) const {
    return collects_ && out_valid_ && !(inputs.store_reads && collecting_->accumulate);
  }
  /// Clocks in which the pipeline moves until the next output is complete, of a tile that steps.
  std::int64_t next_output() const {
    return outputs_.empty() ? feeding_.front().left + latency_ : outputs_.front() - moved_;
  }
  std::int64_t leaving() const;
  void see_short_passes();
  bool feeds_on(const Feeding& last) const;
  void hold(std::int64_t clocks);
  bool accepts(bool holds) const { return !holds || !late_; }
  void take_rows();
  bool goes_on(const TileInputs& inputs) const;
  std::int64_t sure_steps() const;
  /// Clocks in which it steps and outputs leave, each long before the next one.
  std::int64_t flows(const TileInputs& inputs) const;
  void flow(std::int64_t clocks);
  void flow_out(std::int64_t end);
  bool crowd(std::int64_t end, const TileInputs& inputs);
  /// Clocks in which all that it does is count.
  std::int64_t counts(const TileInputs& inputs) const;
  std::int64_t feeder_counts() const;
  std::int64_t least_collect() const;
  void count(std::int64_t clocks, const TileInputs& inputs);
  void update(const TileInputs& inputs);
  void step_for(std::int64_t clocks);
  void step();
  void take_step();
  void update_feed(const TileInputs& inputs);
  bool move_word(bool move);
  bool update_collect(const TileInputs& inputs);
  void update_buffer(bool complete, bool leaves);

  ClockUseCounter* use_;
  bool keep_steps_;
  std::int64_t latency_;  ///< clocks from a pass's last step to the output buffer
  std::int64_t stages_;   ///< of the adder that accumulates, with the register before it
  std::int64_t apart_;    ///< steps of a pass whose output no other one waits for
  std::int64_t depth_;    ///< rows that the staging buffers hold
  bool late_;             ///< elements move a clock late: no row comes while the pipeline holds

  std::int64_t now_ = 1;
  TurnsClock feed_;
  bool feeder_busy_ = false;
  Ring<Feeding> feeding_;
  bool short_passes_ = false;  ///< in some of these
  std::vector<TileSteps> stepped_;
  std::int64_t held_ = 0;        ///< rows of short passes there
  std::int64_t moved_ = 0;       ///< clocks in which the pipeline moved
  Ring<std::int64_t> outputs_;   ///< in which of these each is complete
  std::int64_t last_close_ = 0;  ///< ... the last that may come close behind another
  bool out_valid_ = false, out_room_ = true;

  TurnsClock collect_;
  const TileWork* collecting_ = nullptr;
  bool collects_ = false;
  std::int64_t moving_ = 0;  ///< clocks until the last word is written
  std::size_t output_ = 0;
  std::int64_t word_ = 0;
};

}  // namespace td::sim
