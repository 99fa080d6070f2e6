// SPDX-License-Identifier: Apache-2.0
// Passes of random operands: any sparsity, stream length, special value and mode switch.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "sim/replay/pass_source.hpp"

namespace td::replay {

struct RandomSelection {
  std::int64_t passes = 1000;
  std::uint64_t seed = 1;
  std::optional<double> zeros;  ///< probability of a zero, 0…1; absent: another one for each pass
  std::int64_t rows = 12;       ///< longest stream
  std::int64_t streams = 3;     ///< most streams to an output
  double specials = 0.0;        ///< probability of an Inf, NaN, huge or subnormal operand, 0…1
  double dense = 0.0;           ///< probability that a stream runs in dense mode, 0…1
  double single_bits = 0.0;     ///< probability that a pass has a side of single bits, 0…1
};

/// Some way for sums to become results of OFP8: most are then finite and not zero, some are
/// neither.
sim::Fp8Results drawn_results(std::uint64_t seed);

class RandomSource : public PassSource {
 public:
  RandomSource(const Config& config, const RandomSelection& selection);

  bool next(Pass& pass) override;
  std::vector<Tally> tallies() const override;

 private:
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  std::int64_t between(std::int64_t low, std::int64_t high);
  std::uint32_t sign();
  std::uint32_t operand(sim::Fp8 kind, double zeros);
  std::uint32_t stored(sim::Fp8 kind, std::uint32_t bits) const;
  std::uint32_t ordinary(int scale);
  std::uint32_t special(sim::Fp8 kind);
  void fill_with_single_bits(Pass& pass, double a_zeros, double b_zeros);

  Config config_;
  RandomSelection selection_;
  std::mt19937_64 random_;
  std::int64_t sent_ = 0;
};

}  // namespace td::replay
