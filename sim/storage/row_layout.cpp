// SPDX-License-Identifier: Apache-2.0
#include "sim/storage/row_layout.hpp"

#include <stdexcept>

namespace td::sim {

namespace {

/// Bits that tell `count` things apart.
int bits_for(std::size_t count) {
  int bits = 0;
  while (std::size_t{1} << bits < count) ++bits;
  return bits;
}

void put(std::vector<bool>& bits, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bits.push_back((value >> i & 1) != 0);
}

std::uint32_t take(const std::vector<bool>& bits, std::size_t& at, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) value |= std::uint32_t{bits.at(at++)} << i;
  return value;
}

}  // namespace

RowLayout::RowLayout(const Config& config)
    : lanes_(config.lanes),
      value_bits_(width(config.format)),
      select_bits_(bits_for(config.options.size())),
      advance_bits_(bits_for(static_cast<std::size_t>(config.depth))) {
  if (config.is_dense()) throw std::invalid_argument("scheduled storage: no scheduler");
}

std::vector<bool> RowLayout::pack(const ScheduledRow& row) const {
  std::vector<bool> bits;
  for (std::uint32_t value : row.values) put(bits, value, value_bits_);
  for (int select : row.selects) put(bits, static_cast<std::uint32_t>(select), select_bits_);
  put(bits, static_cast<std::uint32_t>(row.advance - 1), advance_bits_);
  return bits;
}

ScheduledRow RowLayout::unpack(const std::vector<bool>& bits) const {
  ScheduledRow row;
  std::size_t at = 0;
  for (int lane = 0; lane < lanes_; ++lane) row.values.push_back(take(bits, at, value_bits_));
  for (int lane = 0; lane < lanes_; ++lane) {
    row.selects.push_back(static_cast<int>(take(bits, at, select_bits_)));
  }
  row.advance = static_cast<int>(take(bits, at, advance_bits_)) + 1;
  return row;
}

}  // namespace td::sim
