// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/lane_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/arithmetic/arith.hpp"

namespace td::verify {

LaneCheck::LaneCheck(const Config& config) : config_(config), model_(config) {}

void LaneCheck::begin(const sim::PassData& pass) {
  pass_ = pass;
  model_.run(pass_, result_);
}

std::string LaneCheck::compare(std::int64_t cycle, const LaneOperands& actual) {
  if (cycle >= result_.cycles) return fmt::format("cycle {}: one too many", cycle);
  for (int row = 0; row < config_.rows; ++row) {
    std::vector<std::int64_t> elements(static_cast<std::size_t>(config_.lanes), -1);
    for (const sim::TileModel::Pair& pair : model_.pairs(cycle, row)) {
      if (!rests(row, pair.element)) elements[static_cast<std::size_t>(pair.lane)] = pair.element;
    }
    for (int lane = 0; lane < config_.lanes; ++lane) {
      const std::string text =
          compare_lane(cycle, row, lane, elements[static_cast<std::size_t>(lane)], actual);
      if (!text.empty()) return text;
    }
  }
  return "";
}

bool LaneCheck::rests(int row, std::int64_t element) const {
  const auto zero = [&](const std::vector<std::uint32_t>& bits, int lines, int line) {
    return sim::is_zero(config_.format, bits[at(element, lines, line)]);
  };
  const bool a = config_.scheduling == Scheduling::two_sided && zero(pass_.a, config_.columns, 0);
  return (a || zero(pass_.b, config_.rows, row)) && !may_be_nan(element / config_.lanes);
}

bool LaneCheck::may_be_nan(std::int64_t pass_row) const {
  const auto any = [&](const std::vector<std::uint32_t>& bits, int lines) {
    const std::int64_t size = std::int64_t{lines} * config_.lanes;
    const auto begin = bits.begin() + static_cast<std::ptrdiff_t>(pass_row * size);
    return std::any_of(begin, begin + static_cast<std::ptrdiff_t>(size),
                       [&](std::uint32_t one) { return sim::is_nonfinite(config_.format, one); });
  };
  return any(pass_.a, config_.columns) ||
         (config_.scheduling == Scheduling::two_sided && any(pass_.b, config_.rows));
}

/// Where the operand of an element stands in a side's bits.
std::size_t LaneCheck::at(std::int64_t element, int lines, int line) const {
  const std::int64_t lane = element % config_.lanes;
  return static_cast<std::size_t>((element / config_.lanes * lines + line) * config_.lanes + lane);
}

/// `element` is row * lanes + lane of the pass; -1 where the lane idles, which gives it zeros.
std::string LaneCheck::compare_lane(std::int64_t cycle, int row, int lane, std::int64_t element,
                                    const LaneOperands& actual) const {
  const std::string from = element < 0
                               ? std::string("idle")
                               : fmt::format("row {} lane {} of the pass", element / config_.lanes,
                                             element % config_.lanes);
  const auto expected = [&](const std::vector<std::uint32_t>& bits, int lines, int line) {
    return element < 0 ? std::uint32_t{0} : bits[at(element, lines, line)];
  };
  const int digits = (width(config_.format) + 3) / 4;
  const auto differs = [&](const std::string& where, const char* side, std::uint32_t wanted,
                           std::uint32_t found) {
    return fmt::format(
        "cycle {}, PE {} lane {}, side {} operand ({}): expected 0x{:0{}x}, actual "
        "0x{:0{}x}",
        cycle, where, lane, side, from, wanted, digits, found, digits);
  };
  const std::uint32_t signed_b = expected(pass_.b, config_.rows, row);
  const std::uint32_t b =
      sim::is_zero(config_.format, signed_b) ? 0 : signed_b;  // +0 stands for a zero
  const std::uint32_t b_found = actual.b[static_cast<std::size_t>(row * config_.lanes + lane)];
  if (b != b_found) return differs(fmt::format("row {} (all columns)", row), "B", b, b_found);
  for (int column = 0; column < config_.columns; ++column) {
    const std::uint32_t a = expected(pass_.a, config_.columns, column);
    const int place = (row * config_.columns + column) * config_.lanes + lane;
    const std::uint32_t a_found = actual.a[static_cast<std::size_t>(place)];
    if (a != a_found) return differs(fmt::format("row {} column {}", row, column), "A", a, a_found);
  }
  return "";
}

}  // namespace td::verify
