// SPDX-License-Identifier: Apache-2.0
#include "sim/system/stalls/cache_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sim/system/scenario/units.hpp"
#include "sim/system/stalls/cache.hpp"
#include "sim/system/stalls/stalls_cases.hpp"

namespace td::job {
namespace {

/// Samples that are simulated: each stands for as many of the data set.
constexpr std::uint32_t kSimulated = 20000;

CacheStudy read_study(const TomlTable& table) {
  const auto integer = [&table](const char* key, std::int64_t least, std::int64_t most,
                                std::int64_t otherwise) {
    return static_cast<std::uint32_t>(table.has(key) ? table.integer(key, least, most) : otherwise);
  };
  constexpr std::int64_t most_servers = 64, most_epochs = 100, usual_epochs = 5;
  CacheStudy study;
  study.samples = kSimulated;
  study.room = static_cast<std::uint32_t>(
      std::lround(table.number("cache_percent", 0, 100) / 100 * kSimulated));
  study.servers = integer("servers", 1, most_servers, 1);
  study.jobs = integer("jobs", 1, most_servers, 1);
  study.epochs = integer("epochs", 2, most_epochs, usual_epochs);
  study.seed = integer("seed", 0, UINT32_MAX, 0);
  if (study.servers > 1 && study.jobs > 1) table.fail("jobs", "1 where there are several servers");
  return study;
}

/// One job's rates: of its accelerators, of preprocessing and of fetching, and which is least.
struct JobRate {
  double samples_per_s;
  Bottleneck bottleneck;
};

JobRate rate_of(const DataPath& path, const CacheStudy& study, const CacheReads& reads,
                double link_bytes_per_s) {
  const double bytes = path.dataset_bytes / study.samples;
  const double seconds =
      bytes * (reads.local / path.memory_bytes_per_s + reads.remote / link_bytes_per_s +
               reads.disk / path.disk_bytes_per_s);
  const double readers = study.sharing == CacheSharing::coordinated ? 1 : study.jobs;
  const std::array<double, 3> rates = {path.accelerator_samples_per_s,
                                       path.preprocess_samples_per_s / readers,
                                       path.samples / seconds};
  const auto* least = std::min_element(rates.begin(), rates.end());
  return {*least * study.servers, static_cast<Bottleneck>(least - rates.begin())};
}

struct Variant {
  const char* name;
  CachePolicy policy;
  CacheSharing sharing;
};
constexpr Variant kVariants[] = {
    {"least_recently_used", CachePolicy::least_recently_used, CacheSharing::none},
    {"fill_once", CachePolicy::fill_once, CacheSharing::none},
    {"partitioned", CachePolicy::fill_once, CacheSharing::partitioned},
    {"coordinated", CachePolicy::fill_once, CacheSharing::coordinated}};

}  // namespace

Plan plan_cache(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind", "dataset_gib", "samples", "memory_gib_per_s", "disk_mib_per_s",
                    "accelerator_samples_per_s", "preprocess_samples_per_s", "cache_percent",
                    "servers", "jobs", "epochs", "seed"});
  const DataPath path =
      read_data_path(table, table.number("accelerator_samples_per_s", 1e-9, 1e15));
  CacheStudy study = read_study(table);
  Plan lines = Plan::object();
  double first = 0;
  for (const Variant& variant : kVariants) {
    if (variant.sharing == CacheSharing::partitioned && study.servers == 1) continue;
    if (variant.sharing == CacheSharing::coordinated && study.jobs == 1) continue;
    study.policy = variant.policy;
    study.sharing = variant.sharing;
    const CacheReads reads = simulate_cache(study);
    const JobRate rate = rate_of(path, study, reads, cluster.link_bytes_per_s);
    if (first == 0) first = rate.samples_per_s;
    const double all = reads.local + reads.remote + reads.disk;
    Plan& one = lines[variant.name] = Plan::object();
    one["hit_percent"] = 100 * (reads.local + reads.remote) / all;
    one["disk_gib_per_epoch"] = reads.disk * path.dataset_bytes / study.samples / kGibibyte;
    one["job_samples_per_s"] = rate.samples_per_s;
    one["bottleneck"] = to_string(rate.bottleneck);
    one["speed_up"] = rate.samples_per_s / first;
  }
  return lines;
}

}  // namespace td::job
