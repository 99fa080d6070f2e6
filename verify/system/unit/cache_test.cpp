// SPDX-License-Identifier: Apache-2.0
// Caches of samples beside formulas; stalls found in runs whose bottleneck is known.
#include "sim/system/stalls/cache.hpp"

#include <doctest/doctest.h>

#include <random>

#include "sim/system/stalls/differential.hpp"

namespace {

using td::job::Bottleneck;
using td::job::CachePolicy;
using td::job::CacheReads;
using td::job::CacheSharing;
using td::job::CacheStudy;
using td::job::DataPath;

CacheStudy study(std::uint32_t samples, std::uint32_t room, CachePolicy policy) {
  CacheStudy one;
  one.samples = samples;
  one.room = room;
  one.policy = policy;
  one.epochs = 4;
  return one;
}

}  // namespace

TEST_CASE("cache: what replaces nothing hits as much as it holds, in every epoch") {
  for (const std::uint32_t room : {0U, 1U, 350U, 999U, 1000U, 2000U}) {
    const CacheReads reads = simulate_cache(study(1000, room, CachePolicy::fill_once));
    CHECK(reads.local == std::min(room, 1000U));
    CHECK(reads.disk == 1000 - reads.local);
  }
}

TEST_CASE("cache: what replaces the oldest thrashes as the formula says") {
  for (const double share : {0.1, 0.35, 0.5, 0.75, 0.95}) {
    CAPTURE(share);
    constexpr std::uint32_t samples = 20000;
    const auto room = static_cast<std::uint32_t>(share * samples);
    const double hits =
        simulate_cache(study(samples, room, CachePolicy::least_recently_used)).local / samples;
    CHECK(hits == doctest::Approx(td::job::expected_lru_hits(share)).epsilon(0.05));
    CHECK(hits < share);
  }
  CHECK(simulate_cache(study(500, 500, CachePolicy::least_recently_used)).disk == 0);
  CHECK(td::job::expected_lru_hits(0) == 0);
  CHECK(td::job::expected_lru_hits(1) == 1);
}

TEST_CASE("cache: four servers with their own caches, and with one in parts") {
  CacheStudy one = study(20000, 7000, CachePolicy::fill_once);
  one.servers = 4;
  const CacheReads apart = simulate_cache(one);
  // A server's part of an epoch is drawn anew: it has the cached share of it.
  CHECK(apart.local / 20000 == doctest::Approx(0.35).epsilon(0.05));
  CHECK(apart.remote == 0);
  CHECK(apart.local + apart.disk == 20000);
  one.sharing = CacheSharing::partitioned;
  const CacheReads parts = simulate_cache(one);
  CHECK(parts.disk == 0);  // 4 times 0.35 holds all
  CHECK(parts.local / 20000 == doctest::Approx(0.25).epsilon(0.05));
  one.room = 2000;
  CHECK(simulate_cache(one).disk == 20000 - 4 * 2000);
}

TEST_CASE("cache: jobs that share one pass read the disk once for all") {
  CacheStudy one = study(5000, 2000, CachePolicy::fill_once);
  one.jobs = 8;
  CHECK(simulate_cache(one).disk == 8 * 3000);
  one.sharing = CacheSharing::coordinated;
  CHECK(simulate_cache(one).disk == 3000);
}

TEST_CASE("cache: three runs tell which bottleneck was put in") {
  std::mt19937 random(31);
  std::uniform_real_distribution<double> rate(500, 900);
  for (int i = 0; i < 60; ++i) {
    DataPath path{1e12, 1e6, 1e11, 0, rate(random), rate(random)};
    path.disk_bytes_per_s = rate(random) * path.dataset_bytes / path.samples;
    const auto slow = static_cast<Bottleneck>(i % 3);
    if (slow == Bottleneck::accelerator) path.accelerator_samples_per_s /= 3;
    if (slow == Bottleneck::preprocess) path.preprocess_samples_per_s /= 3;
    if (slow == Bottleneck::fetch) path.disk_bytes_per_s /= 3;
    const auto found = analyse_runs(executed_epochs(path, 500, "test"), 0.01);
    CHECK(found.bottleneck == slow);
    // The runs' stalls are those of the rates.
    const double accelerator_s = path.samples / path.accelerator_samples_per_s;
    CHECK(found.accelerator_s == doctest::Approx(accelerator_s).epsilon(0.01));
    const double cold_s = path.samples / td::job::analyse_stalls(path, 0).training_samples_per_s;
    const double stalls_s = found.preprocess_stall_s + found.fetch_stall_s;
    CHECK(found.accelerator_s + stalls_s == doctest::Approx(cold_s).epsilon(0.01));
  }
}
