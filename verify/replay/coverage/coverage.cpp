// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/coverage/coverage.hpp"

namespace td::verify {

Coverage::Coverage(const Config& config)
    : config_(config),
      control_(config, bins_),
      schedule_(config, bins_),
      live_(config, bins_),
      operands_(config, bins_),
      rows_(config),
      nonfinite_{bins_.declare("sequencer", "nonfinite clear"),
                 bins_.declare("sequencer", "nonfinite set")} {}

void Coverage::on_clock(const Seen& seen) {
  const std::int64_t dropped = seen.step ? on_step(seen) : 0;
  if (!seen.step) {
    schedule_.on_wait();
    live_.on_wait(seen);
  }
  control_.on_clock(seen, dropped);
  rows_.accept(seen);
}

std::int64_t Coverage::on_step(const Seen& seen) {
  // A faulty tile may step without rows; the scoreboard says so.
  if (!rows_.in_step(seen)) return 0;
  schedule_.on_step(seen, rows_);
  live_.on_step(seen, rows_);
  rows_.take(seen);
  std::int64_t dropped = 0;
  const sim::LaneMask all = ~sim::LaneMask{0} >> (64 - config_.lanes);
  for (int ahead = 0; ahead < seen.advance; ++ahead) {
    operands_.on_leaving(rows_.a(ahead), rows_.b(ahead));
    for (sim::LaneMask taken : rows_.b(ahead).taken) {
      dropped += __builtin_popcountll(all & ~taken);
    }
  }
  rows_.advance(seen.advance);
  return dropped;
}

void Coverage::on_reset(const Seen& seen) {
  control_.on_reset(seen);
  schedule_.on_reset();
  live_.on_reset();
  rows_.clear();
}

std::vector<std::string> Coverage::holes() const {
  std::vector<std::string> holes;
  for (const Bin& bin : bins()) {
    if (bin.count == 0 && bin.reason.empty()) holes.push_back(bin.name);
  }
  return holes;
}

std::vector<std::string> Coverage::contradictions() const {
  std::vector<std::string> found;
  for (const Bin& bin : bins()) {
    if (bin.count > 0 && !bin.reason.empty()) found.push_back(bin.name + " (" + bin.reason + ")");
  }
  return found;
}

}  // namespace td::verify
