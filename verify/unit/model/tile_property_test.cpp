// SPDX-License-Identifier: Apache-2.0
// The reference model of a tile on random streams: exact sums, bounds on error and on cycles.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/model/pass_data.hpp"

namespace {

using td::Config;
using td::sim::PassData;
using td::sim::PassResult;
using td::unit::pick;
using td::unit::run;

Config any_config(std::mt19937& random, bool dense) {
  td::unit::RandomLimits limits;
  limits.lanes = pick(random, 0, 4) == 0 ? 64 : 12;
  limits.lines = pick(random, 0, 4) == 0 ? 16 : 3;
  limits.dense = dense;
  return td::unit::random_config(random, limits);
}

/// A pass of up to four streams; `draw` makes the bits of an operand.
template <typename Draw>
PassData random_pass(std::mt19937& random, const Config& config, Draw draw) {
  PassData pass;
  for (int i = pick(random, 1, 4); i > 0; --i) pass.segment_rows.push_back(pick(random, 1, 25));
  pass.dense.assign(pass.segment_rows.size(), false);
  const auto rows = static_cast<std::size_t>(pass.rows());
  pass.a.resize(rows * static_cast<std::size_t>(config.columns * config.lanes));
  pass.b.resize(rows * static_cast<std::size_t>(config.rows * config.lanes));
  for (std::uint32_t& bits : pass.a) bits = draw();
  for (std::uint32_t& bits : pass.b) bits = draw();
  return pass;
}

/// Operands of every kind: zeros, near exponents, and (rarely) any bits at all.
auto any_bits(std::mt19937& random, const Config& config, int zeros, bool wild) {
  return [&random, &config, zeros, wild] {
    if (pick(random, 1, 10) <= zeros) return td::sim::narrow(config.format, 0);
    if (wild && pick(random, 1, 400) == 1) {
      return static_cast<std::uint32_t>(random()) >> (32 - td::width(config.format));
    }
    const float value = std::uniform_real_distribution<float>(-1, 1)(random);
    return td::sim::narrow(config.format, std::ldexp(value, pick(random, -9, 9)));
  };
}

struct Exact {
  long double sum = 0;
  long double magnitude = 0;  ///< sum of |a*b|
};

/// The dot product of one PE; products of binary32 are exact in a double.
Exact dot(const Config& config, const PassData& pass, int row, int column) {
  Exact exact;
  for (std::int64_t t = 0; t < pass.rows(); ++t) {
    for (int lane = 0; lane < config.lanes; ++lane) {
      const auto i = static_cast<std::size_t>((t * config.columns + column) * config.lanes + lane);
      const auto j = static_cast<std::size_t>((t * config.rows + row) * config.lanes + lane);
      const double product = double{td::sim::widen(config.format, pass.a[i])} *
                             double{td::sim::widen(config.format, pass.b[j])};
      exact.sum += product;
      exact.magnitude += std::fabs(product);
    }
  }
  return exact;
}

/// The documented bound on the rounding of T rows of N lanes.
long double error_bound(const Config& config, const PassData& pass, const Exact& exact) {
  int levels = 0;
  while ((1 << levels) < config.lanes) ++levels;
  const auto rows = static_cast<long double>(pass.rows());
  const long double k_u = (rows + levels + 1) * 0x1p-24L;
  return k_u / (1 - k_u) * exact.magnitude + config.lanes * rows * 0x1p-150L;
}

/// Returns how many outputs could be judged.
int check_errors(const Config& config, const PassData& pass) {
  const PassResult result = run(config, pass);
  int judged = 0;
  for (int row = 0; row < config.rows; ++row) {
    for (int column = 0; column < config.columns; ++column) {
      const auto output = static_cast<std::size_t>(row * config.columns + column);
      const Exact exact = dot(config, pass, row, column);
      if (result.nonfinite[output] || exact.magnitude > FLT_MAX / 2) continue;
      ++judged;
      const auto error =
          static_cast<double>(std::fabs(exact.sum - td::unit::value_of(result, output)));
      const auto bound = static_cast<double>(error_bound(config, pass, exact));
      CHECK(error <= bound);
    }
  }
  return judged;
}

std::int64_t least_cycles(const Config& config, const PassData& pass) {
  std::int64_t cycles = 0;
  for (std::int64_t rows : pass.segment_rows) cycles += (rows + config.depth - 1) / config.depth;
  return cycles;
}

}  // namespace

TEST_CASE("tile: random integers give exact sums, whatever is dropped and in whatever order") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 400; ++trial) {
    CAPTURE(trial);
    Config config = any_config(random, true);
    config.output = td::Format::fp32;
    const int zeros = pick(random, 0, 10);
    const PassData pass = random_pass(random, config, [&] {
      const int value = pick(random, 1, 10) <= zeros ? 0 : pick(random, -7, 7);
      return td::sim::narrow(config.format, static_cast<float>(value));
    });
    const PassResult result = run(config, pass);
    bool exact = true;
    for (int row = 0; row < config.rows; ++row) {
      for (int column = 0; column < config.columns; ++column) {
        const float value =
            td::unit::value_of(result, static_cast<std::size_t>(row * config.columns + column));
        exact = exact && value == dot(config, pass, row, column).sum;
      }
    }
    CHECK(exact);
    CHECK(result.cycles <= pass.rows());
    if (!config.is_dense()) CHECK(result.cycles >= least_cycles(config, pass));
    if (config.is_dense() || config.depth == 1) CHECK(result.cycles == pass.rows());
  }
}

TEST_CASE("tile: the error of random sums is within the documented bound") {
  std::mt19937 random(12);
  int judged = 0;
  for (int trial = 0; trial < 300; ++trial) {
    CAPTURE(trial);
    Config config = any_config(random, true);
    config.output = td::Format::fp32;
    judged += check_errors(
        config, random_pass(random, config, any_bits(random, config, pick(random, 0, 9), true)));
  }
  CHECK(judged > 500);
}

TEST_CASE("tile: a bf16 result is the binary32 result rounded") {
  std::mt19937 random(13);
  for (int trial = 0; trial < 60; ++trial) {
    Config config = any_config(random, true);
    const auto pass = random_pass(random, config, any_bits(random, config, 4, true));
    config.output = td::Format::fp32;
    const PassResult full = run(config, pass);
    config.output = td::Format::bf16;
    const PassResult rounded = run(config, pass);
    for (std::size_t i = 0; i < full.outputs.size(); ++i) {
      CHECK(rounded.outputs[i] == td::sim::to_bf16(td::unit::value_of(full, i)));
    }
    CHECK(rounded.nonfinite == full.nonfinite);
    CHECK(rounded.cycles == full.cycles);
  }
}

TEST_CASE("tile: dense streams of a TensorDash tile have the bits and cycles of the dense tile") {
  std::mt19937 random(14);
  for (int trial = 0; trial < 60; ++trial) {
    CAPTURE(trial);
    const Config config = any_config(random, false);
    PassData pass = random_pass(random, config, any_bits(random, config, 5, true));
    pass.dense.assign(pass.dense.size(), true);
    Config baseline = config;
    baseline.scheduling = td::Scheduling::dense;
    baseline.options.clear();
    baseline.levels.clear();
    const PassResult result = run(config, pass);
    const PassResult expected = run(baseline, pass);
    CHECK(result.outputs == expected.outputs);
    CHECK(result.nonfinite == expected.nonfinite);
    CHECK(result.cycles == pass.rows());
    CHECK(expected.cycles == pass.rows());
    CHECK(result.skipped == 0);
  }
}

TEST_CASE("tile: data without zeros cost every row a cycle and skip nothing") {
  std::mt19937 random(15);
  for (int trial = 0; trial < 100; ++trial) {
    CAPTURE(trial);
    const Config config = any_config(random, false);
    const PassData pass = random_pass(random, config, [&] {
      return td::sim::narrow(config.format, static_cast<float>(pick(random, 1, 9)));
    });
    const PassResult result = run(config, pass);
    CHECK(result.cycles == pass.rows());
    CHECK(result.skipped == 0);
  }
}

TEST_CASE("tile: data of zeros only cost the fewest cycles, and all is skipped") {
  std::mt19937 random(16);
  for (int trial = 0; trial < 100; ++trial) {
    const Config config = any_config(random, false);
    const PassData pass = random_pass(random, config, [] { return 0U; });
    const PassResult result = run(config, pass);
    CHECK(result.cycles == least_cycles(config, pass));
    CHECK(result.skipped == pass.rows() * config.rows * config.lanes);
    CHECK(*std::max_element(result.outputs.begin(), result.outputs.end()) == 0);
  }
}

TEST_CASE("tile: a run does not depend on the runs before, whatever it shares with them") {
  std::mt19937 random(17);
  for (int trial = 0; trial < 60; ++trial) {
    CAPTURE(trial);
    const Config config = any_config(random, true);
    const auto draw = any_bits(random, config, 5, true);
    td::sim::TileModel model(config);
    PassData pass = random_pass(random, config, draw);
    for (int i = 0; i < 8; ++i) {
      // Some of a new pass's parts, as they are when a stream meets many others.
      const int kept = pick(random, 0, 15);
      if ((kept & 1) == 0) std::generate(pass.a.begin(), pass.a.end(), draw);
      if ((kept & 2) == 0) std::generate(pass.b.begin(), pass.b.end(), draw);
      if ((kept & 4) == 0) std::reverse(pass.segment_rows.begin(), pass.segment_rows.end());
      if ((kept & 8) == 0) pass.dense.back().flip();
      CAPTURE(kept);
      PassResult reused;
      model.run(pass, reused);
      const PassResult fresh = run(config, pass);
      CHECK(reused.outputs == fresh.outputs);
      CHECK(reused.nonfinite == fresh.nonfinite);
      CHECK(reused.cycles == fresh.cycles);
      CHECK(reused.skipped == fresh.skipped);
    }
  }
}

TEST_CASE("tile: the pairs that it tells of are the effectual ones, each once") {
  std::mt19937 random(18);
  for (int trial = 0; trial < 60; ++trial) {
    CAPTURE(trial);
    const Config config = any_config(random, false);
    const PassData pass = random_pass(random, config, any_bits(random, config, 5, false));
    td::sim::TileModel model(config);
    PassResult result;
    model.run(pass, result);
    const auto lanes = static_cast<std::size_t>(config.lanes);
    const bool two_sided = config.scheduling == td::Scheduling::two_sided;
    for (std::size_t row = 0; row < static_cast<std::size_t>(config.rows); ++row) {
      std::vector<int> times(pass.b.size() / static_cast<std::size_t>(config.rows));
      std::vector<int> expected(times.size());
      const auto at = [&](std::size_t element) {
        return (element / lanes * static_cast<std::size_t>(config.rows) + row) * lanes +
               element % lanes;
      };
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool zero = td::sim::is_zero(config.format, pass.b[at(i)]) ||
                          (two_sided && td::sim::is_zero(config.format, pass.a[i]));
        expected[i] = zero ? 0 : 1;
      }
      bool right = true;
      for (std::int64_t cycle = 0; cycle < result.cycles; ++cycle) {
        std::set<int> busy;
        for (const auto& pair : model.pairs(cycle, static_cast<int>(row))) {
          ++times.at(pair.element);
          right = right && busy.insert(pair.lane).second &&
                  pair.b == td::sim::widen(config.format, pass.b[at(pair.element)]);
        }
      }
      CHECK(right);
      CHECK(times == expected);
    }
  }
}
