// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/coverage/control_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::verify {
namespace {

constexpr std::array<const char*, kControlStates> kStateNames = {"closed",
                                                                 "idle",
                                                                 "filling the window",
                                                                 "stepping",
                                                                 "draining",
                                                                 "held, short of rows",
                                                                 "held, ready to step"};
constexpr std::array<const char*, 3> kCounters = {"cycles", "stalls", "skipped"};

/// Counters of more bits than this run full in long tests only, so that it is no situation to ask
/// for.
constexpr int kSmallCounter = 12;

/// Rows that one clock of the tile can accept.
int accepted_rows(const Config& config) { return config.is_dense() ? 1 : config.depth; }

/// Why the tile cannot want for rows of a side in a state; empty if it can.
std::string never_starved(const Config& config, ControlState state) {
  if (state == ControlState::closed) return "no row is accepted, so none is missed";
  const bool held = state == ControlState::held_short || state == ControlState::held_ready;
  if (held && config.scheduler_registers > 0) return "none is accepted while the pipeline holds";
  if (state == ControlState::held_ready && accepted_rows(config) == 1) {
    return "the one row of the window is there";
  }
  return "";
}

/// Why the tile cannot refuse a row in a state. Dense tiles and streams take one row of several.
std::string never_refused(const Config& config, ControlState state) {
  if (config.depth > 1) return "";
  if (state == ControlState::idle) return "an empty window has room for the one row of an offer";
  if (state == ControlState::stepping) return "the one row of the window leaves with the step";
  return "";
}

}  // namespace

ControlCoverage::ControlCoverage(const Config& config, Bins& bins) : config_(config), bins_(bins) {
  declare_states();
  declare_ports();
  declare_outputs();
  declare_counters();
}

void ControlCoverage::declare_states() {
  for (std::size_t s = 0; s < kControlStates; ++s) {
    const auto state = static_cast<ControlState>(s);
    const auto during = [&](const std::string& what) {
      return fmt::format("{} while {}", what, kStateNames[s]);
    };
    const auto port = [&](const char* side, const char* what, const std::string& reason) {
      return bins_.unreachable("intake", during(fmt::format("side {} {}", side, what)), reason);
    };
    const std::string unstarved = never_starved(config_, state);
    const std::string unrefused = never_refused(config_, state);
    states_.push_back(
        {bins_.declare("intake", fmt::format("control {}", kStateNames[s])),
         bins_.declare("reset", during("reset")),
         bins_.unreachable("skid", during("output refused"),
                           state == ControlState::closed ? "reset has emptied the buffer" : ""),
         {port("A", "starved", unstarved), port("B", "starved", unstarved)},
         {port("A", "refused", unrefused), port("B", "refused", unrefused)}});
  }
  edges_ = {bins_.declare("reset", "asserted between two clock edges"),
            bins_.declare("reset", "asserted for one clock edge"),
            bins_.declare("reset", "asserted for several clock edges")};
}

void ControlCoverage::declare_ports() {
  for (std::size_t side : {0u, 1u}) {
    const char name = side == 0 ? 'A' : 'B';
    for (int rows = 0; rows <= config_.depth; ++rows) {
      offered_[side].push_back(
          bins_.declare("intake", fmt::format("side {} offers {} rows", name, rows)));
    }
    for (int rows = 0; rows <= accepted_rows(config_); ++rows) {
      ready_[side].push_back(
          bins_.declare("intake", fmt::format("side {} ready for {} rows", name, rows)));
    }
  }
  for (int rows = 1; rows <= 2 * config_.depth; ++rows) {
    streams_.push_back(bins_.declare("intake", fmt::format("stream of {} rows", rows)));
  }
  streams_.push_back(bins_.declare("intake", "stream of more rows"));
}

void ControlCoverage::declare_outputs() {
  for (int steps = 1; steps <= config_.accumulators; ++steps) {
    output_steps_.push_back(bins_.declare("sequencer", fmt::format("output of {} steps", steps)));
  }
  output_steps_.push_back(bins_.declare("sequencer", "output of more steps than accumulators"));
  for (std::size_t outputs = 0; outputs < buffer_.size(); ++outputs) {
    buffer_[outputs] = bins_.declare("skid", fmt::format("{} outputs in the buffer", outputs));
  }
  accepted_ = {bins_.declare("skid", "output refused"), bins_.declare("skid", "output accepted")};
  back_to_back_ = bins_.declare("skid", "outputs accepted in consecutive clocks");
}

void ControlCoverage::declare_counters() {
  if (config_.counter_width > kSmallCounter) return;
  for (std::size_t i = 0; i < kCounters.size(); ++i) {
    const bool dense = config_.is_dense() && i == 2;
    full_[i] = bins_.unreachable(
        "counters",
        fmt::format("{} {}", kCounters[i],
                    config_.counter_wrap != 0 ? "starts again at zero" : "stays full"),
        dense ? "a dense tile drops nothing" : "");
  }
}

ControlState ControlCoverage::state(const Seen& seen) const {
  if (!seen.open) return ControlState::closed;
  if (!seen.enable) {
    return seen.ready_to_step() ? ControlState::held_ready : ControlState::held_short;
  }
  if (seen.step) return ControlState::stepping;
  if (in_flight_ > 0) return ControlState::draining;
  return seen.a.held > 0 || seen.b.held > 0 ? ControlState::filling : ControlState::idle;
}

void ControlCoverage::on_clock(const Seen& seen, std::int64_t dropped) {
  const StateBins& bins = states_[static_cast<std::size_t>(state(seen))];
  bins_.hit(bins.seen);
  on_ports(seen, bins);
  on_stream_rows(seen);
  on_outputs(seen);
  on_counters(seen, dropped);
  // A final step's output is offered to the buffer one clock before it is offered outside.
  if (seen.step) {
    in_flight_ = output_latency(config_) - 1;
  } else if (seen.enable && in_flight_ > 0) {
    --in_flight_;
  }
}

void ControlCoverage::on_ports(const Seen& seen, const StateBins& bins) {
  const std::array<const SeenSide*, 2> sides = {&seen.a, &seen.b};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const SeenSide& side = *sides[i];
    bins_.hit(offered_[i][static_cast<std::size_t>(std::min(side.offered, config_.depth))]);
    bins_.hit(ready_[i][static_cast<std::size_t>(std::min(side.ready, accepted_rows(config_)))]);
    if (side.offered < side.ready && side.more) bins_.hit(bins.starved[i]);
    if (side.offered > side.ready) bins_.hit(bins.refused[i]);
  }
  if (seen.out_valid && !seen.out_ready) bins_.hit(bins.output_refused);
}

void ControlCoverage::on_stream_rows(const Seen& seen) {
  for (int row = 0; row < std::min(seen.b.offered, seen.b.ready); ++row) {
    ++stream_rows_;
    if ((seen.last >> row & 1) == 0) continue;
    const auto longest = static_cast<std::int64_t>(streams_.size());
    bins_.hit(streams_[static_cast<std::size_t>(std::min(stream_rows_, longest) - 1)]);
    stream_rows_ = 0;
  }
}

void ControlCoverage::on_outputs(const Seen& seen) {
  if (seen.step) {
    ++steps_;
    if (seen.final_step) {
      const auto most = static_cast<std::int64_t>(output_steps_.size());
      bins_.hit(output_steps_[static_cast<std::size_t>(std::min(steps_, most) - 1)]);
      steps_ = 0;
    }
  }
  bins_.hit(buffer_[static_cast<std::size_t>(seen.waiting_outputs)]);
  const bool accepted = seen.out_valid && seen.out_ready;
  if (seen.out_valid) bins_.hit(accepted_[accepted ? 1 : 0]);
  if (accepted && accepted_before_) bins_.hit(back_to_back_);
  accepted_before_ = accepted;
}

/// A counter that wraps falls; one that stays full does so while there is more to count.
void ControlCoverage::on_counters(const Seen& seen, std::int64_t dropped) {
  if (config_.counter_width > kSmallCounter) return;
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - config_.counter_width);
  const bool waits = !seen.step && (seen.a.held > 0 || seen.b.held > 0);
  const std::array<bool, 3> counts = {seen.step, waits, dropped > 0};
  for (std::size_t i = 0; i < full_.size(); ++i) {
    const bool past = config_.counter_wrap != 0 ? seen.counters[i] < counted_[i]
                                                : counted_[i] == most && counts[i];
    if (past) bins_.hit(full_[i]);
    counted_[i] = seen.counters[i];
  }
}

void ControlCoverage::on_reset(const Seen& seen) {
  bins_.hit(states_[static_cast<std::size_t>(state(seen))].reset);
  in_flight_ = 0;
  stream_rows_ = 0;
  steps_ = 0;
  accepted_before_ = false;
  counted_.fill(0);
}

void ControlCoverage::on_reset_over(std::int64_t edges) {
  bins_.hit(edges_[static_cast<std::size_t>(std::min<std::int64_t>(edges, 2))]);
}

}  // namespace td::verify
