// SPDX-License-Identifier: Apache-2.0
// Linear programs: optima by hand, against enumeration, and what has none.
#include "sim/system/linear/linear.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "base/support/error.hpp"

namespace {

using td::job::kUnbounded;
using td::job::LinearProgram;
using Status = LinearProgram::Status;

}  // namespace

TEST_CASE("linear: an optimum by hand") {
  LinearProgram program;  // 3x + 2y; x + y <= 4, x + 3y <= 6, x <= 3
  const auto x = program.add_variable(3, 0, 3);
  const auto y = program.add_variable(2);
  program.add_row({{x, 1}, {y, 1}}, -kUnbounded, 4);
  program.add_row({{x, 1}, {y, 2}, {y, 1}}, -kUnbounded, 6);
  program.maximise();
  const auto solution = program.solve();
  CHECK(solution.status == Status::optimal);
  CHECK(solution.objective == doctest::Approx(11).epsilon(1e-9));
  CHECK(solution.values[x] == doctest::Approx(3).epsilon(1e-9));
  CHECK(solution.values[y] == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("linear: a knapsack of parts, whose values are close, is filled by value over weight") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0, 1);
  for (int round = 0; round < 50; ++round) {
    LinearProgram program;
    std::vector<td::job::Term> row;
    std::vector<std::pair<double, double>> things;  // value over weight, weight
    for (std::size_t i = 0; i < 40; ++i) {
      const double weight = 1e4 * (1 + share(random));
      const double worth = 1 + 1e-7 * share(random);
      things.emplace_back(worth, weight);
      row.push_back({program.add_variable(worth, 0, weight), 1});
    }
    program.add_row(row, -kUnbounded, 3e5);
    program.maximise();
    std::sort(things.rbegin(), things.rend());
    double left = 3e5, value = 0;
    for (const auto& [worth, weight] : things) {
      const double part = std::min(left, weight);
      value += worth * part;
      left -= part;
    }
    CHECK(std::abs(program.solve().objective - value) < 1e-8);
  }
}

TEST_CASE("linear: knapsacks as enumeration has them") {
  std::mt19937 random(6);
  std::uniform_int_distribution<int> draw(1, 30);
  for (int i = 0; i < 20; ++i) {
    constexpr int items = 10;
    int values[items];
    int weights[items];
    LinearProgram program;
    std::vector<td::job::Term> row;
    for (int k = 0; k < items; ++k) {
      values[k] = draw(random);
      weights[k] = draw(random);
      row.push_back({program.add_variable(values[k], 0, 1, true), double(weights[k])});
    }
    program.add_row(row, -kUnbounded, 60);
    program.maximise();
    int best = 0;
    for (int set = 0; set < 1 << items; ++set) {
      int value = 0;
      int weight = 0;
      for (int k = 0; k < items; ++k) {
        value += (set >> k & 1) * values[k];
        weight += (set >> k & 1) * weights[k];
      }
      if (weight <= 60) best = std::max(best, value);
    }
    CHECK(program.solve().objective == doctest::Approx(best).epsilon(1e-9));
  }
}

TEST_CASE("linear: what has no optimum") {
  for (const bool integer : {false, true}) {
    CAPTURE(integer);
    LinearProgram infeasible;
    infeasible.add_row({{infeasible.add_variable(1, 0, 1, integer), 1}}, 2, 3);
    CHECK(infeasible.solve().status == Status::infeasible);
    CHECK_THROWS_WITH_AS(
        infeasible.optimum("f.toml", "policy"),
        "f.toml: policy = infeasible is illegal; legal: constraints that can all hold at once",
        td::UserError);
  }
  LinearProgram unbounded;
  unbounded.add_variable(1);
  unbounded.maximise();
  CHECK(unbounded.solve().status == Status::unbounded);
}
