// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/replay/work_source.hpp"

#include <algorithm>

#include "sim/arithmetic/arith.hpp"

namespace td::gate_replay {
namespace {

/// Operands other than zero among the `lanes` at `operands`.
sim::LaneMask nonzero(Format format, const std::uint32_t* operands, int lanes) {
  sim::LaneMask mask = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    mask |= sim::LaneMask{!sim::is_zero(format, operands[lane])} << lane;
  }
  return mask;
}

}  // namespace

WorkSource::WorkSource(const Config& config, replay::PassSource& passes, bool dense_mode)
    : config_(config), passes_(passes), dense_mode_(dense_mode) {}

bool WorkSource::next(replay::Pass& pass) {
  if (!passes_.next(pass)) return false;
  if (dense_mode_) {
    pass.data.dense.assign(pass.data.dense.size(), true);
    pass.simulated_cycles.reset();  // they are those of the sparse mode
  }
  longest_rows_ = std::max(longest_rows_, pass.data.rows());
  count(pass);
  return true;
}

void WorkSource::count(const replay::Pass& pass) {
  const auto lanes = static_cast<std::size_t>(config_.lanes);
  const auto lines = static_cast<std::size_t>(config_.rows);
  const auto columns = static_cast<std::size_t>(config_.columns);
  const auto rows = static_cast<std::size_t>(pass.data.rows());
  work_.dense_macs += pass.data.rows() * config_.lanes * pass.present_rows * pass.present_columns;
  std::vector<sim::LaneMask> b(lines);
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t r = 0; r < lines; ++r) {
      b[r] = nonzero(config_.format, &pass.data.b[(t * lines + r) * lanes], config_.lanes);
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const sim::LaneMask a =
          nonzero(config_.format, &pass.data.a[(t * columns + c) * lanes], config_.lanes);
      for (const sim::LaneMask mask : b) work_.effectual_macs += __builtin_popcountll(a & mask);
    }
  }
}

}  // namespace td::gate_replay
