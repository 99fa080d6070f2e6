// SPDX-License-Identifier: Apache-2.0
// Coverage of the control: its states, and what ports, resets, outputs and counters do in each.
#pragma once

#include <array>
#include <vector>

#include "verify/replay/coverage/bins.hpp"
#include "verify/replay/coverage/seen.hpp"

namespace td::verify {

/// States of the control, one of which holds in every clock.
enum class ControlState {
  closed,      ///< in reset, or in the clocks until rows are accepted after it
  idle,        ///< no row in the window, no step on its way through the pipeline
  filling,     ///< rows, but not all that a step needs; nothing on its way
  stepping,    ///< the tile steps
  draining,    ///< no step for want of rows, earlier ones are on their way
  held_short,  ///< the pipeline waits for room for an output; rows are missing, too
  held_ready,  ///< ... else the tile would step
};
inline constexpr std::size_t kControlStates = 7;

class ControlCoverage {
 public:
  ControlCoverage(const Config& config, Bins& bins);

  /// A clock; `dropped` pairs left in it without having been multiplied.
  void on_clock(const Seen& seen, std::int64_t dropped);

  /// Reset is asserted, in the middle of a clock that looks like this.
  void on_reset(const Seen& seen);

  /// Reset lasted for so many rising edges.
  void on_reset_over(std::int64_t edges);

  ControlState state(const Seen& seen) const;

 private:
  struct StateBins {
    Bins::Id seen;
    Bins::Id reset;
    Bins::Id output_refused;
    std::array<Bins::Id, 2> starved;  ///< by side: fewer rows offered than the source has
    std::array<Bins::Id, 2> refused;  ///< by side: more rows offered than accepted
  };

  void declare_states();
  void declare_ports();
  void declare_outputs();
  void declare_counters();
  void on_ports(const Seen& seen, const StateBins& bins);
  void on_stream_rows(const Seen& seen);
  void on_outputs(const Seen& seen);
  void on_counters(const Seen& seen, std::int64_t dropped);

  const Config config_;
  Bins& bins_;
  std::vector<StateBins> states_;
  std::vector<Bins::Id> offered_[2];    ///< [rows]
  std::vector<Bins::Id> ready_[2];      ///< [rows]
  std::vector<Bins::Id> streams_;       ///< [rows - 1], then longer ones
  std::vector<Bins::Id> output_steps_;  ///< [steps - 1], then more
  std::array<Bins::Id, 3> buffer_{};    ///< [outputs in the buffer]
  std::array<Bins::Id, 2> accepted_{};  ///< an output: refused, accepted
  Bins::Id back_to_back_ = 0;           ///< outputs accepted in consecutive clocks
  std::array<Bins::Id, 3> edges_{};     ///< resets that see no, one, more rising edges
  std::array<Bins::Id, 3> full_{};      ///< [counter]: goes past its largest value
  std::array<std::uint64_t, 3> counted_{};
  int in_flight_ = 0;             ///< clocks of a moving pipeline until it is empty
  std::int64_t stream_rows_ = 0;  ///< of the stream that side B is in
  std::int64_t steps_ = 0;        ///< of the output in use
  bool accepted_before_ = false;  ///< an output, in the clock before
};

}  // namespace td::verify
