// SPDX-License-Identifier: Apache-2.0
// Steps that plans expect: those that are certain, bounds, and how groups and means go together.
#include "sim/accelerator/plan/expected_steps.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::sim::ExpectedSteps;

std::int64_t rounded_up(std::int64_t value, std::int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

}  // namespace

TEST_CASE("expected steps: every row without zeros, as few as there can be without numbers") {
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    td::Config config = td::unit::random_accelerator(random);
    while (config.is_dense()) config = td::unit::random_accelerator(random);
    const ExpectedSteps full(config, 0), empty(config, 1), half(config, 0.5), most(config, 0.9);
    for (std::int64_t rows = 1; rows <= 32; ++rows) {
      const auto group = static_cast<std::size_t>(rows + i);
      CHECK(full.draw(rows, group) == rows);
      CHECK(full.mean(rows) == static_cast<double>(rows));
      CHECK(empty.draw(rows, group) == rounded_up(rows, config.depth));
      CHECK(half.draw(rows, group) >= rounded_up(rows, config.depth));
      CHECK(half.draw(rows, group) <= rows);
    }
    if (config.depth > 1) {
      CHECK(half.mean(32) < 32);
      CHECK(most.mean(32) < half.mean(32));
    }
    // Longer streams go on like 32 rows.
    CHECK(half.mean(64) == 2 * half.mean(32));
    CHECK(half.draw(96, 5) == 3 * half.draw(32, 5));
  }
}

TEST_CASE("expected steps: the mean is that of the groups that are drawn") {
  std::mt19937 random(12);
  td::Config config = td::unit::random_accelerator(random);
  while (config.is_dense()) config = td::unit::random_accelerator(random);
  const ExpectedSteps steps(config, 0.6);
  double sum = 0;
  for (std::size_t group = 0; group < 32; ++group) {
    sum += static_cast<double>(steps.draw(20, group));
    CHECK(steps.draw(20, group) == steps.draw(20, group + 32));
  }
  CHECK(steps.mean(20) == sum / 32);
}

TEST_CASE("expected steps: all rows where nothing is dropped") {
  const ExpectedSteps dense;
  CHECK(dense.mean(7) == 7);
  CHECK(dense.draw(70, 3) == 70);
}
