// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/replay/tile_copy.hpp"

#include <algorithm>

namespace td::gate_replay {
namespace {

/// Clocks from a step to the clock in which the counter of steps shows it.
constexpr std::int64_t kCounterLatency = 2;

std::uint64_t counted(const Config& config, std::int64_t events) {
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - config.counter_width);
  const auto count = static_cast<std::uint64_t>(events);
  return config.counter_wrap != 0 ? count & most : std::min(count, most);
}

}  // namespace

TileCopy::TileCopy(const Config& config, replay::PassSource& source, int number)
    : config_(config),
      number_(number),
      scoreboard_(config, source.tallies()),
      predictor_(config, source, scoreboard_),
      stimulus_(config, predictor_, replay::Waits{}),
      bits_(static_cast<std::size_t>(config.rows * config.columns)),
      nonfinite_(bits_.size()) {}

void TileCopy::offer(TilePins& pins) {
  const replay::Offer& offer = stimulus_.clock(a_ready_, b_ready_);
  const auto a_rows = static_cast<std::size_t>(offer.a_rows);
  const auto b_rows = static_cast<std::size_t>(offer.b_rows);
  const auto lane_bits = static_cast<std::size_t>(config_.lanes * stored_width(config_.format));
  const auto count_bits = static_cast<std::size_t>(count_width(config_));
  pins.a_valid.put(number_, static_cast<std::uint32_t>(a_rows), count_bits);
  pins.b_valid.put(number_, static_cast<std::uint32_t>(b_rows), count_bits);
  pins.a_rows.put(number_, offer.a_words,
                  a_rows * lane_bits * static_cast<std::size_t>(config_.columns));
  pins.b_rows.put(number_, offer.b_words,
                  b_rows * lane_bits * static_cast<std::size_t>(config_.rows));
  if (config_.format == Format::fp8) {
    pins.a_e5m2.put(number_, offer.a_e5m2, a_rows);
    pins.b_e5m2.put(number_, offer.b_e5m2, b_rows);
  }
  if (config_.output == Format::fp8) pins.out_saturate.put(number_, 1, 1);  // sim::Fp8Results{}
  pins.b_last.put(number_, offer.last, b_rows);
  pins.b_last_of_output.put(number_, offer.last_of_output, b_rows);
  pins.dense.put(number_, offer.dense ? 1 : 0, 1);
}

void TileCopy::observe(const TilePins& pins, std::int64_t clock, std::int64_t patience) {
  a_ready_ = static_cast<int>(pins.a_ready.value(number_));
  b_ready_ = static_cast<int>(pins.b_ready.value(number_));
  if (pins.a_valid.value(number_) > 0 && a_ready_ > 0) started_ = true;
  if (first_step_ < 0 && pins.cycles.value(number_) != 0) first_step_ = clock - kCounterLatency;
  if (pins.out_valid.value(number_) != 0) observe_output(pins, clock);
  if (!done() && clock - last_output_ > patience) {
    scoreboard_.on_hang(clock);
    hung_ = true;
  }
}

/// A tile that never waits steps in every clock, so that the clocks between two outputs are the
/// steps of the second; check_counters() sees that it never waited.
void TileCopy::observe_output(const TilePins& pins, std::int64_t clock) {
  const std::int64_t final_step = clock - output_latency(config_);
  const std::int64_t final_step_before =
      scoreboard_.passes_done() == 0 ? first_step_ - 1 : last_output_ - output_latency(config_);
  last_output_ = clock;
  const bool expected = !scoreboard_.idle();
  scoreboard_.on_cycles(final_step - final_step_before, clock);
  if (!expected) return;
  const auto bits = static_cast<std::size_t>(output_width(config_));
  for (std::size_t pe = 0; pe < bits_.size(); ++pe) {
    bits_[pe] = static_cast<std::uint32_t>(pins.out_data.field(number_, pe * bits, bits));
    if (config_.output == Format::fp8) {
      bits_[pe] |= static_cast<std::uint32_t>(pins.out_overflow.field(number_, pe, 1) << 8 |
                                              pins.out_underflow.field(number_, pe, 1) << 9);
    }
    nonfinite_[pe] = pins.out_nonfinite.field(number_, pe, 1) != 0;
  }
  scoreboard_.on_output(bits_, nonfinite_, clock);
}

void TileCopy::check_counters(const TilePins& pins, std::int64_t clock) {
  scoreboard_.on_counter("cycles", pins.cycles.value(number_),
                         counted(config_, scoreboard_.total_cycles()), clock);
  scoreboard_.on_counter("skipped", pins.skipped.value(number_),
                         counted(config_, scoreboard_.total_skipped()), clock);
  scoreboard_.on_counter("stalls", pins.stalls.value(number_), 0, clock);
}

}  // namespace td::gate_replay
