// SPDX-License-Identifier: Apache-2.0
// MLPerf: the load generator, early stopping and scores of training: what holds of every test, and
// values worked by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/system/loadgen/early_stopping.hpp"
#include "sim/system/loadgen/load.hpp"
#include "sim/system/score/score.hpp"

namespace {

using td::job::generate_load;
using td::job::least_within;
using td::job::Load;
using td::job::LoadScenario;
using td::job::LoadSettings;
using td::job::score_of;
using td::job::TrainingRun;

LoadSettings settings(LoadScenario scenario, std::uint64_t seed) {
  LoadSettings one;
  one.scenario = scenario;
  one.queries_per_second = 500;
  one.min_duration = 1'000'000'000;
  one.min_queries = 100;
  one.samples_per_query = scenario == LoadScenario::multi_stream ? 8 : 1;
  one.total_samples = 1000;
  one.performance_samples = 64;
  one.set_seed = seed;
  one.sample_seed = seed + 1;
  one.schedule_seed = seed + 2;
  return one;
}

/// P[at most `over` of `queries` fail], term by term.
double binomial(std::uint64_t over, std::uint64_t queries, double rate) {
  double sum = 0;
  for (std::uint64_t i = 0; i <= over; ++i) {
    double term = 1;
    for (std::uint64_t j = 0; j < i; ++j) {
      term *= static_cast<double>(queries - j) / static_cast<double>(i - j) * rate;
    }
    sum += term * std::pow(1 - rate, static_cast<double>(queries - i));
  }
  return sum;
}

std::vector<TrainingRun> five(std::size_t aborted) {
  std::vector<TrainingRun> runs = {
      {300, false}, {60, false}, {120, false}, {180, false}, {240, false}};
  for (std::size_t i = 0; i < aborted; ++i) runs[i].aborted = true;
  return runs;
}

}  // namespace

TEST_CASE("load: what holds of every test") {
  for (const auto scenario : {LoadScenario::single_stream, LoadScenario::multi_stream,
                              LoadScenario::server, LoadScenario::offline}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const LoadSettings one = settings(scenario, seed);
      const Load load = generate_load(one);
      CHECK(load.loadable_sets == 16);
      CHECK(std::set<std::uint64_t>(load.set.begin(), load.set.end()).size() == 64);
      CHECK(load.times[0] == 0);
      CHECK(std::is_sorted(load.times.begin(), load.times.end()));
      CHECK(load.samples.size() == load.times.size() * one.samples_per_query);
      for (const auto sample : load.samples) CHECK(sample < one.total_samples);
      if (scenario == LoadScenario::offline) continue;
      CHECK(load.times.size() >= one.min_queries);
      CHECK(load.times.back() >= one.min_duration);
    }
  }
}

TEST_CASE("load: the rate of a server is the one asked for") {
  LoadSettings one = settings(LoadScenario::server, 5);
  one.min_queries = 200'000;
  const Load load = generate_load(one);
  const double mean = static_cast<double>(load.times.back()) / 1e9 / 199'999;
  CHECK(std::abs(mean * one.queries_per_second - 1) < 3 / std::sqrt(200'000.0));
}

TEST_CASE("early stopping: the least number is the least, by a plain binomial sum") {
  for (const double percentile : {0.5, 0.9, 0.97}) {
    for (const double confidence : {0.6, 0.95, 0.99}) {
      for (std::uint64_t over = 0; over < 12; ++over) {
        const auto within = least_within({percentile, confidence}, over);
        CHECK(binomial(over, within + over, 1 - percentile) < 1 - confidence);
        if (within > 0) CHECK(binomial(over, within + over - 1, 1 - percentile) >= 1 - confidence);
      }
    }
  }
}

TEST_CASE("score: without the fastest and the slowest") {
  const auto score = score_of(five(0), 5);
  CHECK(score.minutes == 3.0);
  CHECK(score.times->mean_seconds == 180);
  CHECK(score.times->deviation_seconds == doctest::Approx(94.86832980505138));
  CHECK(score.times->slowest_over_fastest == 5);
}

TEST_CASE("score: an aborted run is the slowest, two are one too many, four runs too few") {
  CHECK(score_of(five(1), 5).minutes == 3.0);  // of 120, 180, 240
  CHECK(score_of(five(1), 5).times->mean_seconds == 150);
  CHECK(!score_of(five(2), 5).minutes.has_value());
  auto four = five(0);
  four.pop_back();
  CHECK(!score_of(four, 5).minutes.has_value());
  const auto none = score_of(five(5), 5);
  CHECK(!none.minutes.has_value());
  CHECK(!none.times.has_value());
  CHECK(none.aborted == 5);
  CHECK(td::job::required_runs("gnmt") == 10);
  CHECK(!td::job::required_runs("minigo").has_value());
}
