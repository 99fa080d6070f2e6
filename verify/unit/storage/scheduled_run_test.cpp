// SPDX-License-Identifier: Apache-2.0
// Writer and reader of scheduled storage: there and back, beside the reference model's tile, and
// with every bit broken.
#include "sim/storage/scheduled_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/configuration/preset.hpp"
#include "sim/arithmetic/arith.hpp"
#include "sim/model/tile.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::Config;
using td::sim::BadRun;
using td::sim::ScheduledRuns;
using td::sim::StoredElement;
using td::unit::pick;
using Operands = std::vector<std::uint32_t>;
using Packed = std::vector<std::vector<bool>>;

std::uint32_t sign_of(td::Format format) { return std::uint32_t{1} << (width(format) - 1); }

/// Every kind of operand: +0 and -0, subnormals, infinities, NaNs, any other.
std::uint32_t operand(std::mt19937& random, td::Format format, double zeros) {
  const std::uint32_t sign = pick(random, 0, 1) == 0 ? 0 : sign_of(format);
  if (std::bernoulli_distribution(zeros)(random)) return sign;
  const std::uint32_t exponent = ((1U << exponent_bits(format)) - 1) << fraction_bits(format);
  switch (pick(random, 0, 9)) {
    case 0:
      return sign | 1;  // the smallest subnormal
    case 1:
      return sign | exponent;  // infinity
    case 2:
      return sign | exponent | 1;
    default:
      return std::max(1U, static_cast<std::uint32_t>(random()) & (2 * sign_of(format) - 1));
  }
}

/// Runs that hurt: all zero, dense, one lane only, one element only, random.
Operands run_of(std::mt19937& random, const Config& config, std::int64_t rows) {
  const int kind = pick(random, 0, 7);
  const double zeros = kind == 0 ? 1 : kind == 1 ? 0 : pick(random, 1, 9) / 10.0;
  Operands run(static_cast<std::size_t>(rows * config.lanes), 0);
  const auto lanes = static_cast<std::size_t>(config.lanes);
  const auto hot = static_cast<std::size_t>(pick(random, 0, config.lanes - 1));
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (kind == 2 && i % lanes != hot) continue;
    run[i] = operand(random, config.format, kind == 2 ? 0 : zeros);
  }
  if (kind == 3) std::fill(run.begin(), run.end(), 0);
  if (kind == 3) run[random() % run.size()] = 1;
  return run;
}

Operands without_negative_zeros(Operands run, td::Format format) {
  for (std::uint32_t& bits : run) bits = td::sim::is_zero(format, bits) ? 0 : bits;
  return run;
}

std::vector<Config> scheduled_presets() {
  std::vector<Config> configs;
  for (const td::EmbeddedFile& preset : td::presets()) {
    Config config = td::find_config(std::string(preset.name));
    if (!config.is_dense()) configs.push_back(config);
  }
  return configs;
}

Config random_scheduled(std::mt19937& random) {
  td::unit::RandomLimits limits;
  limits.lines = 3;
  limits.dense = false;
  return td::unit::random_config(random, limits);
}

void check_there_and_back(std::mt19937& random, const Config& config, std::int64_t rows) {
  const ScheduledRuns runs(config);
  const Operands run = run_of(random, config, rows);
  const Packed packed = runs.write(run);
  CAPTURE(config.name);
  CAPTURE(rows);
  CHECK(runs.restore(packed, rows) == without_negative_zeros(run, config.format));
  const auto count = static_cast<std::int64_t>(packed.size());
  CHECK(count <= rows);
  CHECK(count * config.depth >= rows);
  for (const std::vector<bool>& row : packed) {
    CHECK(static_cast<int>(row.size()) == runs.layout().bits());
  }
}

/// One output of every PE, from side B as given. Only operands of side A are drawn.
td::sim::PassData pass_of(std::mt19937& random, const Config& config, const Operands& b,
                          std::int64_t rows) {
  td::sim::PassData pass{{rows}, {}, b, {false}};
  pass.a.resize(static_cast<std::size_t>(rows * config.columns * config.lanes));
  for (std::uint32_t& bits : pass.a) {
    bits = operand(random, config.format, 0.2);
    if (td::sim::is_nonfinite(config.format, bits) && pick(random, 0, 9) > 0) bits = 0;
  }
  return pass;
}

}  // namespace

TEST_CASE("storage: runs come back as they went in") {
  std::mt19937 random(81);
  for (const Config& config : scheduled_presets()) {
    for (int i = 0; i < 60; ++i) check_there_and_back(random, config, pick(random, 1, 20));
  }
  for (int i = 0; i < 400; ++i) {
    const Config config = random_scheduled(random);
    check_there_and_back(random, config, pick(random, 1, 3 * config.depth));
  }
}

TEST_CASE("storage: scheduled rows are the steps of a tile with one row") {
  std::mt19937 random(82);
  for (int i = 0; i < 300; ++i) {
    Config config = random_scheduled(random);
    config.scheduling = td::Scheduling::one_sided;
    config.rows = 1;
    const std::int64_t rows = pick(random, 1, 4 * config.depth);
    const Operands run = run_of(random, config, rows);
    const ScheduledRuns runs(config);
    const auto steps = runs.steps(runs.write(run), rows);
    td::sim::TileModel tile(config);
    td::sim::PassResult result;
    tile.run(pass_of(random, config, run, rows), result);
    CAPTURE(i);
    REQUIRE(result.cycles == static_cast<std::int64_t>(steps.size()));
    for (std::size_t step = 0; step < steps.size(); ++step) {
      std::vector<td::sim::TileModel::Pair> pairs = tile.pairs(static_cast<std::int64_t>(step), 0);
      std::sort(pairs.begin(), pairs.end(),
                [](const auto& x, const auto& y) { return x.lane < y.lane; });
      REQUIRE(pairs.size() == steps[step].size());
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const StoredElement& one = steps[step][k];
        CHECK(pairs[k].lane == one.lane);
        CHECK(pairs[k].element == one.element);
        CHECK(td::sim::detail::bits_of(pairs[k].b) ==
              td::sim::detail::bits_of(td::sim::widen(config.format, one.value)));
      }
    }
  }
}

TEST_CASE("storage: restored runs give the outputs of those that went in") {
  std::mt19937 random(83);
  int nonfinite = 0;
  for (int i = 0; i < 300; ++i) {
    const Config config = random_scheduled(random);
    const std::int64_t rows = pick(random, 1, 4 * config.depth);
    const ScheduledRuns runs(config);
    Operands original(static_cast<std::size_t>(rows * config.rows * config.lanes));
    Operands restored(original.size());
    for (int line = 0; line < config.rows; ++line) {
      const Operands run = run_of(random, config, rows);
      const Operands back = runs.restore(runs.write(run), rows);
      for (std::size_t k = 0; k < run.size(); ++k) {
        const auto lanes = static_cast<std::size_t>(config.lanes);
        const std::size_t at =
            (k / lanes * static_cast<std::size_t>(config.rows) + static_cast<std::size_t>(line)) *
                lanes +
            k % lanes;
        original[at] = run[k];
        restored[at] = back[k];
      }
    }
    td::sim::PassData pass = pass_of(random, config, original, rows);
    pass.dense[0] = pick(random, 0, 1) == 0;  // the sparse path off
    td::sim::PassResult before;
    td::sim::TileModel(config).run(pass, before);
    pass.b = restored;
    td::sim::PassResult after;
    td::sim::TileModel(config).run(pass, after);
    CAPTURE(i);
    CHECK(after.outputs == before.outputs);
    CHECK(after.nonfinite == before.nonfinite);
    CHECK(after.cycles == before.cycles);
    nonfinite += std::count(before.nonfinite.begin(), before.nonfinite.end(), true) > 0 ? 1 : 0;
  }
  CHECK(nonfinite > 50);
}

TEST_CASE("storage: any broken bit is noticed, or changes what comes back") {
  std::mt19937 random(84);
  int noticed = 0;
  int changed = 0;
  for (int i = 0; i < 60; ++i) {
    td::unit::RandomLimits limits;
    limits.lanes = 16;
    limits.dense = false;
    const Config config = td::unit::random_config(random, limits);
    const ScheduledRuns runs(config);
    const std::int64_t rows = pick(random, 1, 3 * config.depth);
    const Operands run = without_negative_zeros(run_of(random, config, rows), config.format);
    Packed packed = runs.write(run);
    CAPTURE(i);
    for (std::vector<bool>& row : packed) {
      for (std::size_t bit = 0; bit < row.size(); ++bit) {
        row[bit] = !row[bit];
        bool same = false;
        try {
          same = runs.restore(packed, rows) == run;
          ++changed;
        } catch (const BadRun&) {  // CHECK would catch it
          ++noticed;
        }
        CHECK_FALSE(same);
        row[bit] = !row[bit];
      }
    }
    CHECK_THROWS_AS(runs.restore(packed, rows + 1), BadRun);
    packed.pop_back();
    CHECK_THROWS_AS(runs.restore(packed, rows), BadRun);
  }
  CHECK(noticed > 1000);
  CHECK(changed > 1000);
}

TEST_CASE("storage: the reader says what no writer makes") {
  // 2 lanes, 3 options, depth 3: a select of 3 and an advance of 4 fit the bits.
  const Config config = td::unit::config_of(
      "[tile]\nlanes = 2\nrows = 1\ncolumns = 1\n[tile.interconnect]\ndepth = 3\n"
      "pattern = [[0, 0], [1, 0], [2, 0]]\n");
  const ScheduledRuns runs(config);
  const auto refusal = [&](const std::vector<td::sim::ScheduledRow>& rows, std::int64_t count) {
    Packed packed;
    for (const td::sim::ScheduledRow& row : rows) packed.push_back(runs.layout().pack(row));
    try {
      runs.restore(packed, count);
    } catch (const BadRun& error) {
      return std::string(error.what()).substr(std::string("scheduled run: ").size());
    }
    return std::string();
  };
  CHECK(refusal({{{0, 7}, {0, 2}, 3}, {{5, 0}, {0, 0}, 1}}, 4).empty());
  CHECK(refusal({{{0, 7}, {1, 0}, 3}}, 3) == "a lane without an element selects one");
  CHECK(refusal({{{0, 0x8000}, {0, 1}, 3}}, 3) == "a zero was stored");
  CHECK(refusal({{{0, 7}, {0, 3}, 3}}, 3) == "no such option");
  CHECK(refusal({{{0, 7}, {0, 2}, 2}}, 2) == "an element behind the end");
  CHECK(refusal({{{0, 7}, {0, 1}, 1}, {{0, 7}, {0, 0}, 1}}, 2) == "an element twice");
  CHECK(refusal({{{0, 7}, {0, 0}, 4}}, 4) == "an advance beyond the depth");
  CHECK(refusal({{{0, 7}, {0, 0}, 2}}, 3) == "advances that do not add up to the rows");
}

TEST_CASE("storage: docs/machine.md writes one run by hand") {
  Config config = td::unit::config_of(
      "[tile]\nlanes = 4\nrows = 1\ncolumns = 1\n[tile.interconnect]\ndepth = 2\n"
      "pattern = [[0, 0], [1, 0], [1, 1]]\n");
  const ScheduledRuns runs(config);
  CHECK(runs.layout().plain_bits() == 64);
  CHECK(runs.layout().select_bits() == 2);
  CHECK(runs.layout().advance_bits() == 1);
  CHECK(runs.layout().bits() == 73);
  const float numbers[] = {1, 0, 0, 0,  //
                           3, 4, 0, 0,  //
                           0, 7, 0, 0,  //
                           0, 6, 5, 0};
  Operands run;
  for (float number : numbers) run.push_back(td::sim::narrow(config.format, number));
  const Packed packed = runs.write(run);
  REQUIRE(packed.size() == 2);
  CHECK(runs.layout().unpack(packed[0]) ==
        td::sim::ScheduledRow{{0x3f80, 0x4080, 0, 0x4040}, {0, 1, 0, 2}, 2});
  CHECK(runs.layout().unpack(packed[1]) ==
        td::sim::ScheduledRow{{0x40c0, 0x40e0, 0x40a0, 0}, {2, 0, 1, 0}, 2});
  std::string digits;  // from the highest bit on
  for (std::size_t bit = packed[0].size(); bit-- > 0;) digits += packed[0][bit] ? '1' : '0';
  CHECK(digits ==
        "1"
        "10000100"
        "0100000001000000"
        "0000000000000000"
        "0100000010000000"
        "0011111110000000");
}

TEST_CASE("storage: a configuration without a scheduler is refused") {
  const Config dense = td::find_config("dense_bf16");
  CHECK_THROWS_AS(ScheduledRuns{dense}, std::invalid_argument);
}
