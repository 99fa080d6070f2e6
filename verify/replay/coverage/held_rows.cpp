// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/coverage/held_rows.hpp"

#include <algorithm>

namespace td::verify {

HeldRows::HeldRows(const Config& config) : config_(config) {}

HeldRow HeldRows::row(const std::vector<std::uint32_t>& bits, int index, int lines) const {
  HeldRow row;
  const auto lanes = static_cast<std::size_t>(config_.lanes);
  const std::size_t elements = static_cast<std::size_t>(lines) * lanes;
  row.nonzero.assign(static_cast<std::size_t>(lines), 0);
  for (std::size_t i = 0; i < elements; ++i) {
    const OperandKind kind =
        operand_kind(config_.format, bits[static_cast<std::size_t>(index) * elements + i]);
    row.kinds.push_back(kind);
    if (!is_zero(kind)) row.nonzero[i / lanes] |= sim::LaneMask{1} << (i % lanes);
  }
  row.taken.assign(static_cast<std::size_t>(config_.rows), 0);
  return row;
}

void HeldRows::accept(const Seen& seen) {
  for (int i = 0; i < std::min(seen.a.offered, seen.a.ready); ++i) {
    a_.push_back(row(seen.a.moved, i, config_.columns));
  }
  for (int i = 0; i < std::min(seen.b.offered, seen.b.ready); ++i) {
    b_.push_back(row(seen.b.moved, i, config_.rows));
    b_.back().first = first_;
    first_ = (seen.last >> i & 1) != 0;
  }
}

void HeldRows::take(const Seen& seen) {
  const auto lanes = static_cast<std::size_t>(config_.lanes);
  for (std::size_t r = 0; r < static_cast<std::size_t>(config_.rows); ++r) {
    if (seen.dense) {
      b_.front().taken[r] = ~sim::LaneMask{0};
      continue;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t select = seen.selects[r * lanes + lane];
      if (select == 0) continue;
      const Option option = config_.options[static_cast<std::size_t>(__builtin_ctzll(select))];
      const auto ahead = static_cast<std::size_t>(option.step);
      if (ahead >= b_.size()) continue;  // a faulty tile's choice
      b_[ahead].taken[r] |= sim::LaneMask{1}
                            << source_lane(static_cast<int>(lane), option, config_.lanes);
    }
  }
}

void HeldRows::advance(int rows) {
  a_.erase(a_.begin(), a_.begin() + rows);
  b_.erase(b_.begin(), b_.begin() + rows);
}

void HeldRows::clear() {
  a_.clear();
  b_.clear();
  first_ = true;
}

sim::LaneMask HeldRows::free(int tile_row, int ahead) const {
  const HeldRow& row = b(ahead);
  const auto r = static_cast<std::size_t>(tile_row);
  sim::LaneMask mask = row.nonzero[r] & ~row.taken[r];
  if (config_.scheduling == Scheduling::two_sided) mask &= a(ahead).nonzero[0];
  return mask;
}

bool HeldRows::in_step(const Seen& seen) const {
  const auto rows = static_cast<std::size_t>(std::max(seen.eligible, seen.advance));
  return rows > 0 && a_.size() >= rows && b_.size() >= rows;
}

}  // namespace td::verify
