// SPDX-License-Identifier: Apache-2.0
#include "sim/arithmetic/fused_sum.hpp"

#include <algorithm>

namespace td::sim {
namespace {

constexpr int kGuard = 3;  ///< places of the accumulator below its last one
constexpr std::uint32_t kInfinity = 0x7f800000;
constexpr std::uint32_t kNan = 0x7fc00000;

std::uint32_t sign_bit(bool negative) { return negative ? 0x80000000 : 0; }

/// Twice the value shifted down, the lowest bit set where anything was lost: what is left then
/// counts as half a unit.
std::int64_t halves(std::int64_t value, int places) {
  places = std::min(places, 62);
  const std::int64_t kept = value >> places;
  const bool lost = kept * (std::int64_t{1} << places) != value;
  return kept * 2 + (lost ? 1 : 0);
}

/// `halves` half units of 2^(exponent - 153), rounded to nearest even.
std::uint32_t rounded(std::int64_t halves, int exponent) {
  const bool negative = halves < 0;
  auto magnitude = static_cast<std::uint64_t>(negative ? -halves : halves);
  if (magnitude == 0) return 0;
  // The place of the first one, as the exponent of a normal number; one below 1 is subnormal.
  int top = exponent - 24 - kGuard + 63 - __builtin_clzll(magnitude);
  top = std::max(top, 1);
  // The last place of the result; `places` half units below it.
  const int places = top - exponent + 1 + kGuard;
  if (places > 0) {
    const std::uint64_t half = std::uint64_t{1} << (places - 1);
    const std::uint64_t odd = (magnitude >> places) & 1;
    magnitude = (magnitude + half - 1 + odd) >> places;
  } else {
    magnitude <<= -places;
  }
  // The hidden one counts as one more of the exponent, and so does a carry.
  const std::uint64_t bits = (static_cast<std::uint64_t>(top - 1) << 23) + magnitude;
  return sign_bit(negative) | static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, kInfinity));
}

}  // namespace

FusedRow::Factor FusedRow::factor(std::uint32_t bits) const {
  const std::uint32_t hidden = std::uint32_t{1} << shape_.fraction_bits;
  const std::uint32_t ones = (std::uint32_t{1} << shape_.exponent_bits) - 1;
  const std::uint32_t field = (bits >> shape_.fraction_bits) & ones;
  return {static_cast<int>(std::max(field, std::uint32_t{1})),
          (bits & (hidden - 1)) | (field != 0 ? hidden : 0),
          (bits >> (shape_.fraction_bits + shape_.exponent_bits)) != 0, field == ones};
}

void FusedRow::see(std::uint32_t a, std::uint32_t b) {
  const Factor x = factor(a);
  const Factor y = factor(b);
  if (x.special || y.special) {
    const std::uint32_t infinity = std::uint32_t{1} << shape_.fraction_bits;
    const bool number = x.significand != 0 && y.significand != 0 &&
                        (!x.special || x.significand == infinity) &&
                        (!y.special || y.significand == infinity);
    nan_ = nan_ || !number;
    infinite_[x.negative != y.negative ? 1 : 0] = true;
  } else if (x.significand != 0 && y.significand != 0) {
    largest_ = std::max(largest_, x.exponent + y.exponent);
  }
}

void FusedRow::add(std::uint32_t a, std::uint32_t b) {
  const Factor x = factor(a);
  const Factor y = factor(b);
  if (x.special || y.special || x.significand == 0 || y.significand == 0) return;
  const int guard = shape_.places() - 2 * shape_.fraction_bits;
  const int distance = std::min(largest_ - x.exponent - y.exponent, 63);
  const std::uint64_t product = std::uint64_t{x.significand} * y.significand;
  const auto cut = static_cast<std::int64_t>((product << guard) >> distance);
  sum_ += x.negative != y.negative ? -cut : cut;
}

std::uint32_t FusedRow::accumulate(std::uint32_t accumulator) const {
  const bool negative = (accumulator >> 31) != 0;
  const std::uint32_t field = (accumulator >> 23) & 0xff;
  bool nan = nan_ || (accumulator & 0x7fffffff) > kInfinity;
  const bool plus = infinite_[0] || (field == 255 && !negative);
  const bool minus = infinite_[1] || (field == 255 && negative);
  nan = nan || (plus && minus);
  if (nan) return kNan;
  if (plus || minus) return sign_bit(minus) | kInfinity;

  // Both in units of the larger last place.
  const int bias = (1 << (shape_.exponent_bits - 1)) - 1;
  const int row = largest_ == 0 ? 0 : largest_ - 2 * bias - shape_.places() + 150 + kGuard;
  const int own = static_cast<int>(std::max(field, std::uint32_t{1}));
  const std::uint32_t hidden = field != 0 ? 0x800000 : 0;
  const std::int64_t magnitude = std::int64_t{(accumulator & 0x7fffff) | hidden} << kGuard;
  const std::int64_t held = halves(magnitude, std::max(row - own, 0));
  return rounded(halves(sum_, std::max(own - row, 0)) + (negative ? -held : held),
                 std::max(row, own));
}

}  // namespace td::sim
