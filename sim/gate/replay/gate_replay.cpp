// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/replay/gate_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "sim/gate/replay/tile_copy.hpp"

namespace td::gate_replay {
namespace {

constexpr int kResetClocks = 4;

/// Clocks from the end of reset to the first step, and some to spare.
constexpr std::int64_t kStartClocks = 16;

class GateReplay {
 public:
  GateReplay(const gate::Netlist& netlist, const gate::Library& library, const Config& config,
             const std::string& file, WorkSource& source, const ClockObserver& observer)
      : config_(config),
        pins_(tile_pins(netlist, config, file)),
        simulator_(netlist, library, pins_.clock),
        source_(source),
        observer_(observer) {
    for (int copy = 0; copy < kCopies; ++copy) copies_.emplace_back(config, source, copy);
  }

  Replay run() {
    reset();
    while (!all_done()) step();
    // Whatever a tile should not have sent would come now.
    for (std::int64_t k = 0; k < output_latency(config_) + kStartClocks; ++k) step();
    pins_.stalls.sample(simulator_);
    pins_.skipped.sample(simulator_);
    for (TileCopy& copy : copies_) copy.check_counters(pins_, clock_);
    return result();
  }

 private:
  void reset() {
    pins_.reset_n.put_all(0);
    pins_.out_ready.put_all(1);
    for (int k = 0; k < kResetClocks; ++k) {
      pins_.drive(simulator_);
      simulator_.settle(0);
      simulator_.clock();
    }
    pins_.reset_n.put_all(1);
  }

  bool all_done() const {
    for (const TileCopy& copy : copies_) {
      if (!copy.done()) return false;
    }
    return clock_ > 0;
  }

  void step() {
    gate::Word counted = 0;
    for (std::size_t copy = 0; copy < copies_.size(); ++copy) {
      counted |= gate::Word{copies_[copy].busy()} << copy;
      copies_[copy].offer(pins_);
    }
    pins_.drive(simulator_);
    simulator_.settle(counted);
    for (Pin* pin : {&pins_.a_ready, &pins_.b_ready, &pins_.out_valid, &pins_.cycles}) {
      pin->sample(simulator_);
    }
    if (pins_.out_valid.any()) {
      pins_.out_data.sample(simulator_);
      pins_.out_nonfinite.sample(simulator_);
      pins_.out_overflow.sample(simulator_);
      pins_.out_underflow.sample(simulator_);
    }
    const std::int64_t patience = source_.longest_rows() + output_latency(config_) + kStartClocks;
    std::int64_t passes_done = 0;
    for (TileCopy& copy : copies_) {
      copy.observe(pins_, clock_, patience);
      passes_done += copy.scoreboard().passes_done();
    }
    if (observer_) observer_(simulator_, counted, passes_done);
    simulator_.clock();
    ++clock_;
  }

  Replay result() const {
    Replay result;
    result.work = source_.work();
    result.tallies = source_.tallies();
    result.clocks = static_cast<std::int64_t>(simulator_.clocks());
    result.simulated_clocks = clock_;
    for (std::size_t copy = 0; copy < copies_.size(); ++copy) {
      const replay::Scoreboard& scoreboard = copies_[copy].scoreboard();
      result.multiplied_macs += multiplied(scoreboard);
      result.mismatches += scoreboard.mismatches();
      if (result.first_mismatch.empty() && scoreboard.mismatches() > 0) {
        result.first_mismatch = fmt::format("copy {}, {}", copy, scoreboard.first_mismatch());
      }
      add(scoreboard.tallies(), result.tallies);
    }
    result.activity = activity();
    return result;
  }

  static void add(const std::vector<replay::Tally>& from, std::vector<replay::Tally>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i].passes_done += from[i].passes_done;
      to[i].dense_cycles += from[i].dense_cycles;
      to[i].zero_free_cycles += from[i].zero_free_cycles;
      to[i].cycles += from[i].cycles;
      to[i].outputs += from[i].outputs;
      to[i].mismatches += from[i].mismatches;
    }
  }

  std::int64_t multiplied(const replay::Scoreboard& scoreboard) const {
    std::int64_t rows = 0;
    for (const replay::Tally& tally : scoreboard.tallies()) rows += tally.dense_cycles;
    return (rows * config_.rows * config_.lanes - scoreboard.total_skipped()) * config_.columns;
  }

  gate::Activity activity() const {
    gate::Activity activity;
    const double clocks = std::max(1.0, static_cast<double>(simulator_.clocks()));
    for (const std::uint64_t count : simulator_.toggles()) {
      activity.toggles_per_clock.push_back(static_cast<double>(count) / clocks);
    }
    for (const std::uint64_t count : simulator_.ones()) {
      activity.share_of_ones.push_back(static_cast<double>(count) / clocks);
    }
    return activity;
  }

  Config config_;
  TilePins pins_;
  gate::Simulator simulator_;
  WorkSource& source_;
  const ClockObserver& observer_;
  std::deque<TileCopy> copies_;  // nothing in it moves
  std::int64_t clock_ = 0;       ///< since the end of reset
};

}  // namespace

Replay replay_passes(const gate::Netlist& netlist, const gate::Library& library,
                     const Config& config, const std::string& file, WorkSource& source,
                     const ClockObserver& observer) {
  return GateReplay(netlist, library, config, file, source, observer).run();
}

}  // namespace td::gate_replay
