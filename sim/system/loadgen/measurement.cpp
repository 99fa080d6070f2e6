// SPDX-License-Identifier: Apache-2.0
#include "sim/system/loadgen/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

namespace td::job {

namespace {

using MachineTimes = std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>;

MachineTimes idle_machines(const InferenceSystem& system) {
  return MachineTimes(std::greater<>(), std::vector<std::uint64_t>(system.accelerators, 0));
}

double rate_of(const InferenceSystem::Batch& batch) {
  return static_cast<double>(batch.samples) / static_cast<double>(batch.ns);
}

LoadTest run_stream(const LoadSettings& settings, const InferenceSystem& system) {
  const std::uint64_t latency = system.service_ns(settings.samples_per_query);
  LoadTest test;
  while (test.end < settings.min_duration || test.latencies.size() < settings.min_queries) {
    test.latencies.push_back(latency);
    test.end += latency;
  }
  return test;
}

/// The largest batch that so many samples fill; the smallest where they fill none.
const InferenceSystem::Batch& filled_batch(const InferenceSystem& system, std::uint64_t samples) {
  auto batch = system.batches.begin();
  while (batch + 1 != system.batches.end() && (batch + 1)->samples <= samples) ++batch;
  return *batch;
}

LoadTest run_server(const LoadSettings& settings, const InferenceSystem& system) {
  const std::vector<std::uint64_t> arrivals = generate_load(settings).times;
  MachineTimes idle_from = idle_machines(system);
  LoadTest test;
  test.latencies.reserve(arrivals.size());
  for (std::size_t next = 0; next < arrivals.size();) {
    const std::uint64_t start = std::max(idle_from.top(), arrivals[next]);
    idle_from.pop();
    const auto waiting = static_cast<std::uint64_t>(
                             std::upper_bound(arrivals.begin() + static_cast<std::ptrdiff_t>(next),
                                              arrivals.end(), start) -
                             arrivals.begin()) -
                         next;
    const InferenceSystem::Batch& batch = filled_batch(system, waiting);
    const std::uint64_t done = start + batch.ns;
    const std::size_t end = next + std::min(waiting, batch.samples);
    for (; next < end; ++next) test.latencies.push_back(done - arrivals[next]);
    test.end = std::max(test.end, done);
    idle_from.push(done);
  }
  return test;
}

LoadTest run_offline(const LoadSettings& settings, const InferenceSystem& system) {
  MachineTimes idle_from = idle_machines(system);
  const InferenceSystem::Batch& best = system.best_batch();
  LoadTest test;
  for (std::uint64_t left = settings.samples_per_query; left > 0;) {
    const std::uint64_t samples = std::min(left, best.samples);
    const std::uint64_t done =
        idle_from.top() + (samples == best.samples ? best.ns : system.service_ns(samples));
    idle_from.pop();
    idle_from.push(done);
    test.end = std::max(test.end, done);
    left -= samples;
  }
  test.latencies = {test.end};
  return test;
}

/// Whether so many queries support the claim with `over` of them over the bound.
bool supports(const LatencyClaim& claim, std::uint64_t queries, std::uint64_t over) {
  return queries >= least_within(claim, over) + over;
}

}  // namespace

std::uint64_t InferenceSystem::service_ns(std::uint64_t samples) const {
  std::vector<std::uint64_t> least(samples + 1, 0);
  for (std::uint64_t count = 1; count <= samples; ++count) {
    least[count] = std::numeric_limits<std::uint64_t>::max();
    for (const Batch& one : batches) {
      const std::uint64_t rest = count - std::min(count, one.samples);
      least[count] = std::min(least[count], least[rest] + one.ns);
    }
  }
  return least[samples];
}

const InferenceSystem::Batch& InferenceSystem::best_batch() const {
  return *std::max_element(batches.begin(), batches.end(), [](const Batch& one, const Batch& two) {
    return rate_of(one) < rate_of(two);
  });
}

double InferenceSystem::most_samples_per_s() const {
  constexpr double ns_of_second = 1e9;
  return rate_of(best_batch()) * ns_of_second * static_cast<double>(accelerators);
}

std::uint64_t LoadTest::latency_at(double percentile) const {
  std::vector<std::uint64_t> sorted = latencies;
  const auto index =
      static_cast<std::size_t>(std::floor(static_cast<double>(sorted.size()) * percentile));
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(index, sorted.size() - 1));
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

LoadTest run_load(const LoadSettings& settings, const InferenceSystem& system) {
  switch (settings.scenario) {
    case LoadScenario::server:
      return run_server(settings, system);
    case LoadScenario::offline:
      return run_offline(settings, system);
    default:
      return run_stream(settings, system);
  }
}

std::optional<std::uint64_t> claimed_latency(const LoadTest& test, const LatencyClaim& claim) {
  const std::uint64_t queries = test.latencies.size();
  if (!supports(claim, queries, 1)) return std::nullopt;
  std::uint64_t least = 1;
  std::uint64_t above = queries;  // so many are never supported: h is not negative
  while (above - least > 1) {
    const std::uint64_t middle = least + (above - least) / 2;
    (supports(claim, queries, middle) ? least : above) = middle;
  }
  std::vector<std::uint64_t> sorted = test.latencies;
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(queries - least);
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

std::uint64_t over_bound(const LoadTest& test, std::uint64_t bound_ns) {
  return static_cast<std::uint64_t>(
      std::count_if(test.latencies.begin(), test.latencies.end(),
                    [bound_ns](std::uint64_t latency) { return latency > bound_ns; }));
}

bool within_bound(const LoadTest& test, const LatencyClaim& claim, std::uint64_t bound_ns) {
  return supports(claim, test.latencies.size(), over_bound(test, bound_ns));
}

bool long_enough(const LoadTest& test, const LoadSettings& settings) {
  const std::uint64_t queries = settings.scenario == LoadScenario::offline
                                    ? settings.samples_per_query
                                    : test.latencies.size();
  return test.end >= settings.min_duration && queries >= settings.min_queries;
}

}  // namespace td::job
