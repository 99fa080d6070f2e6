// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/coverage/live_coverage.hpp"

namespace td::verify {

LiveCoverage::LiveCoverage(const Config& config, Bins& bins)
    : config_(config), bins_(bins), live_(static_cast<std::size_t>(config.rows), 0) {
  if (config.is_dense()) return;
  idles_ = bins.declare("live", "a lane idles after a live step");
  stays_idle_ = bins.declare("live", "a lane idles after an idle step");
  wakes_ = bins.declare("live", "a lane is live after an idle step");
  wakes_held_ = bins.declare("live", "a lane is live after an idle step, held in between");
  row_wakes_ = bins.declare("live", "lanes are live after a step in which their tile row idled");
  nonfinite_ = bins.declare("live", "an Inf or NaN is multiplied beside an idle lane");
}

void LiveCoverage::on_step(const Seen& seen, const HeldRows& rows) {
  if (config_.is_dense()) return;
  for (int row = 0; row < config_.rows; ++row) on_row(seen, rows, row);
  stepped_ = true;
  held_ = false;
}

void LiveCoverage::on_row(const Seen& seen, const HeldRows& rows, int row) {
  const auto lanes = static_cast<std::size_t>(config_.lanes);
  const sim::LaneMask all = ~sim::LaneMask{0} >> (64 - config_.lanes);
  sim::LaneMask live = 0;
  bool nonfinite = false;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t select = seen.selects[static_cast<std::size_t>(row) * lanes + lane];
    if (select == 0) continue;
    live |= sim::LaneMask{1} << lane;
    const auto chosen = static_cast<std::size_t>(__builtin_ctzll(select));
    if (chosen >= config_.options.size()) continue;  // a faulty tile
    const Option option = config_.options[chosen];
    const int source = source_lane(static_cast<int>(lane), option, config_.lanes);
    const std::size_t at = static_cast<std::size_t>(row) * lanes + static_cast<std::size_t>(source);
    nonfinite = nonfinite || is_nonfinite(rows.b(option.step).kinds[at]);
  }
  if (nonfinite && live != all) bins_.hit(nonfinite_);
  sim::LaneMask& before = live_[static_cast<std::size_t>(row)];
  if (stepped_) {
    if ((before & ~live) != 0) bins_.hit(idles_);
    if ((all & ~before & ~live) != 0) bins_.hit(stays_idle_);
    if ((live & ~before) != 0) bins_.hit(held_ ? wakes_held_ : wakes_);
    if (before == 0 && live != 0) bins_.hit(row_wakes_);
  }
  before = live;
}

void LiveCoverage::on_reset() { stepped_ = held_ = false; }

}  // namespace td::verify
