// SPDX-License-Identifier: Apache-2.0
// The interval of exchanges on traces of losses: that of the least objective is found, and kept.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sim/system/skew/controller.hpp"

namespace {

using td::job::SkewController;
using td::job::SkewOptions;

std::size_t best_of(const SkewOptions& options, const std::vector<double>& losses) {
  std::size_t best = 0;
  const auto objective = [&](std::size_t i) {
    return skew_objective(options, options.intervals[i], losses[i]);
  };
  for (std::size_t i = 1; i < losses.size(); ++i) {
    if (objective(i) < objective(best)) best = i;
  }
  return best;
}

/// Losses that rise with the interval, ever faster: the objective has one valley.
std::vector<double> random_losses(std::mt19937& random, std::size_t count) {
  std::uniform_real_distribution<double> draw(0, 3);
  std::vector<double> losses = {draw(random)};
  double step = draw(random);
  while (losses.size() < count) {
    losses.push_back(losses.back() + step);
    step *= 1 + draw(random);
  }
  return losses;
}

/// How many of the last decisions were for an interval.
int decisions_for(SkewController& controller, const std::vector<double>& losses,
                  std::size_t interval, int decisions) {
  int count = 0;
  for (int i = 0; i < decisions; ++i) {
    count += controller.current() == interval;
    controller.decide(losses[controller.current()]);
  }
  return count;
}

}  // namespace

TEST_CASE("skew: the objective by hand") {
  const SkewOptions options{{1, 10}, 5, 50, 1, 8};
  CHECK(skew_objective(options, 10, 4) == doctest::Approx(0.1));
  CHECK(skew_objective(options, 10, 7) == doctest::Approx(50 * 0.02 + 0.1));
}

TEST_CASE("skew: where nothing is lost, exchanges become as rare as they may") {
  SkewController controller({{1, 2, 5, 10, 20}, 5, 50, 1, 8}, 0);
  for (int i = 0; i < 4; ++i) controller.decide(0);
  CHECK(controller.current() == 4);
  for (int i = 0; i < 50; ++i) CHECK(controller.decide(0) == 4);
}

TEST_CASE("skew: where every interval loses too much, all iterations exchange") {
  SkewController controller({{1, 2, 5, 10, 20}, 5, 50, 1, 8}, 3);
  const std::vector<double> losses = {0, 40, 50, 60, 70};
  decisions_for(controller, losses, 0, 10);
  CHECK(decisions_for(controller, losses, 0, 90) >= 70);  // now and then it tries its neighbour
}

TEST_CASE("skew: the best interval is found from everywhere, and again after losses change") {
  std::mt19937 random(61);
  const SkewOptions options{{1, 2, 5, 10, 20, 50}, 5, 50, 1, 8};
  const std::size_t count = options.intervals.size();
  for (int i = 0; i < 300; ++i) {
    SkewController controller(options, static_cast<std::size_t>(i) % count);
    for (int change = 0; change < 3; ++change) {
      const std::vector<double> losses = random_losses(random, count);
      const std::size_t best = best_of(options, losses);
      // Old measurements are forgotten, then it walks there; afterwards neighbours are tried.
      decisions_for(controller, losses, best, 60);
      CHECK(decisions_for(controller, losses, best, 90) >= 60);
    }
  }
}
