// SPDX-License-Identifier: Apache-2.0
#include "sim/replay/stimulus.hpp"

#include <algorithm>

namespace td::replay {
namespace {

std::size_t words_for(int bits) { return (static_cast<std::size_t>(bits) + 31) / 32; }

}  // namespace

Stimulus::Stimulus(const Config& config, PassSource& source, const Waits& waits)
    : config_(config),
      source_(source),
      feed_(config),
      stall_(waits.stall),
      pause_(waits.pause),
      random_(waits.seed) {
  const int row_bits = config.depth * config.lanes * stored_width(config.format);
  offer_.a_words.resize(words_for(row_bits * config.columns));
  offer_.b_words.resize(words_for(row_bits * config.rows));
}

bool Stimulus::draw(double probability) {
  return probability > 0.0 && static_cast<double>(random_() >> 11) * 0x1p-53 < probability;
}

/// Some ports wait together for up to twice the time in which the tile runs dry.
void Stimulus::start_pause() {
  if (pause_left_ > 0) {
    --pause_left_;
  } else if (draw(pause_)) {
    paused_ = static_cast<unsigned>(1 + random_() % kAllPorts);
    const auto longest = static_cast<std::uint64_t>(2 * (output_latency(config_) + config_.depth));
    pause_left_ = static_cast<std::int64_t>(1 + random_() % longest);
  }
}

void Stimulus::refill() {
  const std::int64_t enough = 2 * config_.depth;
  while (!drained_ && feed_.available(Side::a) + feed_.available(Side::b) < 2 * enough) {
    if (!source_.next(pass_)) {
      drained_ = true;
      return;
    }
    feed_.append(pass_.data);
  }
}

int Stimulus::offered_rows(Side side) {
  const auto most = static_cast<int>(std::min<std::int64_t>(config_.depth, feed_.available(side)));
  if (pauses(side == Side::a ? kSideA : kSideB)) return 0;
  if (!stalls()) return most;
  return static_cast<int>(random_() % static_cast<std::uint64_t>(most + 1));
}

/// The mode is one signal for all rows of a clock, so streams of different modes cannot begin in
/// the same one.
int Stimulus::rows_of_one_mode(int rows) {
  bool known = false;
  for (int row = 0; row < rows; ++row) {
    if (!feed_.first(row)) continue;
    if (known && feed_.dense(row) != offer_.dense) {
      offer_.mode_matters = true;
      return row;
    }
    offer_.dense = feed_.dense(row);
    known = true;
  }
  // Nobody may look at the mode of rows that begin no stream.
  offer_.mode_matters = known;
  if (!known && (stall_ > 0.0 || pause_ > 0.0)) offer_.dense = (random_() & 1) != 0;
  return rows;
}

/// A row that is not offered has the other format than the first one, which must not matter.
std::uint32_t Stimulus::e5m2_rows(Side side, int offered) const {
  std::uint32_t rows = 0;
  for (int row = 0; row < config_.depth; ++row) {
    const bool known = row < offered;
    const bool e5m2 = known ? feed_.kind(side, row) == sim::Fp8::e5m2 : (rows & 1) == 0;
    rows |= static_cast<std::uint32_t>(e5m2) << row;
  }
  return rows;
}

const Offer& Stimulus::clock(int a_ready, int b_ready) {
  feed_.take(Side::a, std::min(offer_.a_rows, a_ready));
  feed_.take(Side::b, std::min(offer_.b_rows, b_ready));
  refill();
  start_pause();
  offer_.a_rows = offered_rows(Side::a);
  offer_.b_rows = rows_of_one_mode(offered_rows(Side::b));
  feed_.copy(Side::a, offer_.a_rows, offer_.a_words);
  feed_.copy(Side::b, offer_.b_rows, offer_.b_words);
  offer_.a_e5m2 = e5m2_rows(Side::a, offer_.a_rows);
  offer_.b_e5m2 = e5m2_rows(Side::b, offer_.b_rows);
  // Flags of rows that are not offered must not matter.
  offer_.last = ~0u << offer_.b_rows;
  offer_.last_of_output = ~0u << offer_.b_rows;
  for (int row = 0; row < offer_.b_rows; ++row) {
    offer_.last |= static_cast<std::uint32_t>(feed_.last(row)) << row;
    offer_.last_of_output |= static_cast<std::uint32_t>(feed_.last_of_output(row)) << row;
  }
  const std::uint32_t rows = (1u << config_.depth) - 1;
  offer_.last &= rows;
  offer_.last_of_output &= rows;
  return offer_;
}

void Stimulus::reset() {
  feed_.clear();
  offer_.a_rows = 0;
  offer_.b_rows = 0;
}

}  // namespace td::replay
