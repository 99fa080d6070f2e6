// SPDX-License-Identifier: Apache-2.0
#include "sim/system/loadgen/load.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace td::job {
namespace {

constexpr double kNanoseconds = 1e9;

using Generator = std::mt19937;

Generator seeded(std::uint64_t seed) { return Generator(static_cast<std::uint32_t>(seed)); }

std::vector<std::uint64_t> counted(std::uint64_t size, std::uint64_t step = 1) {
  std::vector<std::uint64_t> list((size + step - 1) / step);
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = i * step;
  return list;
}

void choose_set(const LoadSettings& settings, Load& load) {
  auto all = counted(settings.total_samples);
  Generator generator = seeded(settings.set_seed);
  std::shuffle(all.begin(), all.end(), generator);
  const auto size = std::min(settings.performance_samples, settings.total_samples);
  load.loadable_sets = (settings.total_samples + size - 1) / size;
  load.set.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
  if (settings.scenario != LoadScenario::multi_stream) return;
  // So that a query may begin with any sample of the set.
  for (std::uint64_t i = 0; i + 1 < settings.samples_per_query; ++i) {
    load.set.push_back(load.set[i % size]);
  }
}

/// The generator of samples after the shuffles that precede its first draw.
Generator sample_generator(const LoadSettings& settings, const Load& load) {
  Generator generator = seeded(settings.sample_seed);
  const auto size = std::min(settings.performance_samples, settings.total_samples);
  const bool multi = settings.scenario == LoadScenario::multi_stream;
  auto starts = counted(size, multi ? settings.samples_per_query : 1);
  std::shuffle(starts.begin(), starts.end(), generator);
  auto list = counted(load.set.size());
  for (std::uint64_t done = 0; done < settings.min_queries; done += list.size()) {
    std::shuffle(list.begin(), list.end(), generator);
  }
  return generator;
}

void choose_samples(const LoadSettings& settings, Load& load) {
  if (settings.scenario == LoadScenario::offline) {
    for (std::uint64_t i = 0; i < settings.samples_per_query; ++i) {
      load.samples.push_back(load.set[i % load.set.size()]);
    }
    return;
  }
  Generator generator = sample_generator(settings, load);
  const auto size = std::min(settings.performance_samples, settings.total_samples);
  std::uniform_int_distribution<std::uint64_t> start(0, size - 1);
  for (std::size_t query = 0; query < load.times.size(); ++query) {
    const auto first = start(generator);
    for (std::uint64_t i = 0; i < settings.samples_per_query; ++i) {
      load.samples.push_back(load.set[first + i]);
    }
  }
}

void choose_times(const LoadSettings& settings, Load& load) {
  if (settings.scenario == LoadScenario::offline) {
    load.times = {0};
    return;
  }
  const bool server = settings.scenario == LoadScenario::server;
  const std::uint64_t duration = settings.min_duration * (server ? 1 : 2);
  Generator generator = seeded(settings.schedule_seed);
  std::exponential_distribution<double> interval(settings.queries_per_second);
  std::uint64_t time = 0;
  do {
    load.times.push_back(time);
    // Cut to whole nanoseconds before it is added, as the original does.
    const double seconds = server ? interval(generator) : 1 / settings.queries_per_second;
    time += static_cast<std::uint64_t>(seconds * kNanoseconds);
  } while (load.times.back() < duration || load.times.size() < settings.min_queries);
}

}  // namespace

std::uint64_t offline_samples(const LoadSettings& settings) {
  const double seconds = static_cast<double>(settings.min_duration) / kNanoseconds;
  const double wanted = std::floor(1.1 * seconds * settings.queries_per_second);
  return std::max(settings.min_queries, static_cast<std::uint64_t>(wanted));
}

Load generate_load(const LoadSettings& settings) {
  Load load;
  choose_set(settings, load);
  choose_times(settings, load);
  choose_samples(settings, load);
  return load;
}

}  // namespace td::job
