// SPDX-License-Identifier: Apache-2.0
// The load generator and early stopping: what holds of every test, and values worked by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/system/loadgen/early_stopping.hpp"
#include "sim/system/loadgen/load.hpp"

namespace {

using td::job::generate_load;
using td::job::least_within;
using td::job::Load;
using td::job::LoadScenario;
using td::job::LoadSettings;

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
