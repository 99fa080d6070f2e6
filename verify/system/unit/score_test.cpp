// SPDX-License-Identifier: Apache-2.0
// Scores of training runs, by hand.
#include "sim/system/score/score.hpp"

#include <doctest/doctest.h>

namespace {

using td::job::score_of;
using td::job::TrainingRun;

std::vector<TrainingRun> five(std::size_t aborted) {
  std::vector<TrainingRun> runs = {
      {300, false}, {60, false}, {120, false}, {180, false}, {240, false}};
  for (std::size_t i = 0; i < aborted; ++i) runs[i].aborted = true;
  return runs;
}

}  // namespace

TEST_CASE("score: without the fastest and the slowest") {
  const auto score = score_of(five(0), 5);
  CHECK(score.minutes == 3.0);
  CHECK(score.mean_seconds == 180);
  CHECK(score.deviation_seconds == doctest::Approx(94.86832980505138));
  CHECK(score.slowest_over_fastest == 5);
}

TEST_CASE("score: an aborted run is the slowest, two are one too many, four runs too few") {
  CHECK(score_of(five(1), 5).minutes == 3.0);  // of 120, 180, 240
  CHECK(score_of(five(1), 5).mean_seconds == 150);
  CHECK(!score_of(five(2), 5).minutes.has_value());
  auto four = five(0);
  four.pop_back();
  CHECK(!score_of(four, 5).minutes.has_value());
  CHECK(td::job::required_runs("gnmt") == 10);
  CHECK(!td::job::required_runs("minigo").has_value());
}
