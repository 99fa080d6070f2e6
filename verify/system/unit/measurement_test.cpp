// SPDX-License-Identifier: Apache-2.0
// Tests of inference on simulated accelerators: beside a plain simulation, queueing theory, and
// values worked by hand.
#include "sim/system/loadgen/measurement.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <random>
#include <set>

namespace {

using td::job::claimed_latency;
using td::job::generate_load;
using td::job::InferenceSystem;
using td::job::LatencyClaim;
using td::job::LoadScenario;
using td::job::LoadSettings;
using td::job::LoadTest;
using td::job::run_load;

constexpr LatencyClaim kNinety = {0.9, 0.99};
constexpr LatencyClaim kNinetyNine = {0.99, 0.99};

LoadSettings server(double rate, std::uint64_t queries, std::uint64_t seed) {
  LoadSettings settings;
  settings.scenario = LoadScenario::server;
  settings.queries_per_second = rate;
  settings.min_queries = queries;
  settings.schedule_seed = seed;
  return settings;
}

/// Moment by moment: what ends, what arrives, who is idle.
std::vector<std::uint64_t> plain_latencies(const std::vector<std::uint64_t>& arrivals,
                                           const InferenceSystem& system) {
  std::set<std::uint64_t> moments(arrivals.begin(), arrivals.end());
  std::vector<std::uint64_t> busy_until(system.accelerators, 0);
  std::vector<std::uint64_t> latencies(arrivals.size());
  std::deque<std::size_t> waiting;
  std::size_t arrived = 0;
  for (auto moment = moments.begin(); moment != moments.end(); ++moment) {
    while (arrived < arrivals.size() && arrivals[arrived] == *moment) waiting.push_back(arrived++);
    for (std::uint64_t& until : busy_until) {
      if (until > *moment || waiting.empty()) continue;
      InferenceSystem::Batch batch = system.batches.front();
      for (const auto& one : system.batches) {
        if (one.samples <= waiting.size()) batch = one;
      }
      const auto taken = std::min<std::size_t>(waiting.size(), batch.samples);
      until = *moment + batch.ns;
      moments.insert(until);
      for (std::size_t i = 0; i < taken; ++i) {
        latencies[waiting.front()] = until - arrivals[waiting.front()];
        waiting.pop_front();
      }
    }
  }
  return latencies;
}

LoadTest counted(std::uint64_t queries) {
  LoadTest test;
  test.latencies.resize(queries);
  std::iota(test.latencies.begin(), test.latencies.end(), 1);
  return test;
}

}  // namespace

TEST_CASE("inference: samples go in the batches that take least") {
  const InferenceSystem system = {{{1, 10}, {4, 25}, {8, 40}}, 1};
  CHECK(system.service_ns(1) == 10);
  CHECK(system.service_ns(2) == 20);
  CHECK(system.service_ns(3) == 25);
  CHECK(system.service_ns(8) == 40);
  CHECK(system.service_ns(9) == 50);
  CHECK(system.service_ns(22) == 2 * 40 + 40);
  CHECK(system.most_samples_per_s() == doctest::Approx(2e8));
}

TEST_CASE("inference: a server's latencies are those of a plain simulation") {
  std::mt19937 random(3);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    InferenceSystem system;
    system.accelerators = 1 + random() % 4;
    std::uint64_t samples = 0, ns = 0;
    for (std::uint64_t i = 1 + random() % 3; i > 0; --i) {
      system.batches.push_back({samples += 1 + random() % 4, ns += 1 + random() % 2'000'000});
    }
    const double load = 0.2 + 0.1 * static_cast<double>(random() % 12);
    const LoadSettings settings = server(load * system.most_samples_per_s(), 2000, seed);
    CHECK(run_load(settings, system).latencies ==
          plain_latencies(generate_load(settings).times, system));
  }
}

TEST_CASE("inference: the mean wait of one accelerator is that of an M/D/1 queue") {
  const InferenceSystem system = {{{1, 1'000'000}}, 1};
  for (const double load : {0.3, 0.6, 0.8}) {
    const LoadTest test = run_load(server(1000 * load, 400'000, 7), system);
    const double sum = std::accumulate(test.latencies.begin(), test.latencies.end(), 0.0);
    const double wait = sum / static_cast<double>(test.latencies.size()) - 1e6;
    CHECK(wait == doctest::Approx(1e6 * load / (2 * (1 - load))).epsilon(0.03));
  }
}

TEST_CASE("inference: a stream's query follows the one before; Offline takes all at once") {
  InferenceSystem system = {{{1, 3'000'000}, {8, 8'000'000}}, 2};
  LoadSettings settings;
  settings.scenario = LoadScenario::single_stream;
  settings.min_duration = 1'000'000'000;
  LoadTest test = run_load(settings, system);
  CHECK(test.latencies.size() == 334);
  CHECK(test.end == 1'002'000'000);
  CHECK(long_enough(test, settings));
  settings.scenario = LoadScenario::multi_stream;
  settings.samples_per_query = 9;
  test = run_load(settings, system);
  CHECK(test.latencies.size() == 91);
  CHECK(test.latencies.front() == 11'000'000);
  settings.scenario = LoadScenario::offline;
  settings.samples_per_query = 8 * 5 + 1;
  test = run_load(settings, system);
  CHECK(test.end == 3 * 8'000'000);  // three batches on one, two and the last sample on the other
  CHECK_FALSE(long_enough(test, settings));
}

TEST_CASE("inference: percentiles and early stopping are the rules'") {
  // Element floor(n·p) of those in order, from 0.
  CHECK(counted(10).latency_at(0.9) == 10);
  CHECK(counted(1000).latency_at(0.9) == 901);
  CHECK(counted(1000).latency_at(0.99) == 991);
  // The rules' fewest queries with one over the bound: 64 and 662. Then the largest is claimed.
  CHECK_FALSE(claimed_latency(counted(63), kNinety));
  CHECK(claimed_latency(counted(64), kNinety) == 64);
  CHECK_FALSE(claimed_latency(counted(661), kNinetyNine));
  CHECK(claimed_latency(counted(662), kNinetyNine) == 662);
  // Of many queries nearly the percentile itself, never below it.
  const auto claimed = claimed_latency(counted(100'000), kNinety);
  REQUIRE(claimed);
  CHECK(*claimed > 90'001);
  CHECK(*claimed < 90'500);
}

TEST_CASE("inference: a server's bound holds with the queries that early stopping asks for") {
  CHECK(within_bound(counted(662), kNinetyNine, 661));
  CHECK_FALSE(within_bound(counted(662), kNinetyNine, 660));
  CHECK_FALSE(within_bound(counted(661), kNinetyNine, 660));
  CHECK(td::job::over_bound(counted(10), 7) == 3);
}
