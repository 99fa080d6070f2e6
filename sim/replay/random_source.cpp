// SPDX-License-Identifier: Apache-2.0
#include "sim/replay/random_source.hpp"

#include <algorithm>
#include <cmath>

#include "sim/arithmetic/arith.hpp"

namespace td::replay {

sim::Fp8Results drawn_results(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::uint64_t bits = random();
  return {(bits & 1) != 0 ? sim::Fp8::e5m2 : sim::Fp8::e4m3,
          (bits & 2) != 0 ? sim::Overflow::saturate : sim::Overflow::special,
          static_cast<int>(random() % 20) - 12};
}

RandomSource::RandomSource(const Config& config, const RandomSelection& selection)
    : config_(config), selection_(selection), random_(selection.seed) {}

std::int64_t RandomSource::between(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
}

std::uint32_t RandomSource::sign() {
  return static_cast<std::uint32_t>(random_() & 1) << (width(config_.format) - 1);
}

/// An operand that the side can have; `kind` is its format where operands are of OFP8.
std::uint32_t RandomSource::stored(sim::Fp8 kind, std::uint32_t bits) const {
  if (config_.format != Format::fp8) return bits;
  return sim::narrow_fp8(kind, sim::Overflow::saturate, sim::widen(config_.format, bits));
}

/// A value that IEEE-754 treats apart, or the bits of anything at all.
std::uint32_t RandomSource::special(sim::Fp8 kind) {
  const Format format = config_.format;
  if (format == Format::fp8)
    return sim::from_code(kind, static_cast<std::uint32_t>(random_() & 0xff));
  const std::uint32_t sign = this->sign();
  const std::uint32_t inf = ((1u << exponent_bits(format)) - 1) << fraction_bits(format);
  const std::uint32_t fraction =
      static_cast<std::uint32_t>(random_()) & ((1u << fraction_bits(format)) - 1);
  const std::uint32_t normal = 1u << fraction_bits(format);
  switch (random_() % 8) {
    case 0:
      return sign | inf;
    case 1:
      return sign | inf | fraction | 1u;  // NaN, quiet or signalling
    case 2:
      return sign | fraction;  // subnormal or zero
    case 3:
      return sign | (inf - 1u);  // the largest finite number
    case 4:
      return sign | normal;  // the smallest normal number
    case 5:
      return sign | ((1u << (exponent_bits(format) - 1)) - 1) * normal;  // one
    case 6:
      return sign | 1u << random_() % static_cast<unsigned>(width(format) - 1);  // a single bit
    default:
      return static_cast<std::uint32_t>(random_()) & (~0u >> (32 - width(format)));
  }
}

std::uint32_t RandomSource::operand(sim::Fp8 kind, double zeros) {
  if (selection_.specials > 0.0 && uniform() < selection_.specials) return special(kind);
  const std::uint32_t sign = this->sign();
  if (uniform() < zeros) return sign;  // -0 is a zero too
  return stored(kind, sign | ordinary(0));
}

/// The magnitude of a normal number around 2^scale.
std::uint32_t RandomSource::ordinary(int scale) {
  const double magnitude = std::ldexp(1.0 + uniform(), scale + static_cast<int>(between(-6, 3)));
  return sim::narrow(config_.format, static_cast<float>(magnitude));
}

/// Every element of one side that is not zero has the same single magnitude bit, another one in
/// every pass. The other side brings the products to about the same size, so that none is lost in
/// a sum unseen.
void RandomSource::fill_with_single_bits(Pass& pass, double a_zeros, double b_zeros) {
  const std::int64_t bits = width(config_.format) - 1;
  const std::uint32_t magnitude = 1u << pass.number % bits;
  const int most = (1 << (exponent_bits(config_.format) - 1)) - 6;
  const int scale = std::clamp(-std::ilogb(sim::widen(config_.format, magnitude)), 8 - most, most);
  const bool single_a = (random_() & 1) != 0;
  const auto fill = [&](std::vector<std::uint32_t>& side, sim::Fp8 kind, bool single,
                        double zeros) {
    for (std::uint32_t& element : side) {
      element = sign();
      if (uniform() < zeros) continue;
      element = stored(kind, element | (single ? magnitude : ordinary(scale)));
    }
  };
  fill(pass.data.a, pass.data.a_kind, single_a, a_zeros);
  fill(pass.data.b, pass.data.b_kind, !single_a, b_zeros);
}

bool RandomSource::next(Pass& pass) {
  if (sent_ == selection_.passes) return false;
  const double zeros = selection_.zeros ? *selection_.zeros : 0.95 * uniform();
  // Side A's zeros matter to a two-sided PE only, but must be harmless everywhere.
  const double a_zeros = 0.5 * zeros;
  pass.number = sent_++;
  pass.tally = 0;
  pass.present_rows = config_.rows;
  pass.present_columns = config_.columns;
  pass.data.segment_rows.clear();
  pass.data.dense.clear();
  for (std::int64_t left = between(1, selection_.streams); left > 0; --left) {
    pass.data.segment_rows.push_back(between(1, selection_.rows));
    pass.data.dense.push_back(uniform() < selection_.dense);
  }
  if (config_.format == Format::fp8) {
    for (sim::Fp8* kind : {&pass.data.a_kind, &pass.data.b_kind}) {
      *kind = (random_() & 1) != 0 ? sim::Fp8::e5m2 : sim::Fp8::e4m3;
    }
  }
  pass.zero_free_cycles = pass.data.rows();  // every lane has its pair
  const auto rows = static_cast<std::size_t>(pass.data.rows() * config_.lanes);
  pass.data.a.resize(rows * static_cast<std::size_t>(config_.columns));
  pass.data.b.resize(rows * static_cast<std::size_t>(config_.rows));
  if (selection_.single_bits > 0.0 && uniform() < selection_.single_bits) {
    fill_with_single_bits(pass, a_zeros, zeros);
    return true;
  }
  for (std::uint32_t& bits : pass.data.a) bits = operand(pass.data.a_kind, a_zeros);
  for (std::uint32_t& bits : pass.data.b) bits = operand(pass.data.b_kind, zeros);
  return true;
}

std::vector<Tally> RandomSource::tallies() const {
  Tally tally;
  tally.snapshot = "random";
  tally.layer = "streams";
  tally.op = "-";
  tally.side_b = "random";
  tally.zero_share = selection_.zeros.value_or(0.475);
  tally.all_passes = tally.passes = selection_.passes;
  return {tally};
}

}  // namespace td::replay
