// SPDX-License-Identifier: Apache-2.0
#include "sim/system/loadgen/loadgen_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "sim/system/loadgen/early_stopping.hpp"
#include "sim/system/loadgen/load.hpp"

namespace td::job {
namespace {

constexpr std::uint64_t kMostCount = 1 << 24;
constexpr std::uint64_t kMostMilliseconds = 1'000'000'000;
constexpr double kMostRate = 1e9;
constexpr std::size_t kHead = 200, kSetHead = 16;  ///< values that a case shows

LoadScenario scenario_of(const JsonValue& value) {
  const std::string name = value.text();
  if (name == "SingleStream") return LoadScenario::single_stream;
  if (name == "MultiStream") return LoadScenario::multi_stream;
  if (name == "Server") return LoadScenario::server;
  if (name == "Offline") return LoadScenario::offline;
  value.fail("SingleStream, MultiStream, Server or Offline");
}

/// Seeds have 64 bits, and are text.
std::uint64_t seed_of(const JsonValue& seeds, const char* key) {
  const JsonValue value = seeds.member(key, key);
  const std::string text = value.text();
  char* end = nullptr;
  errno = 0;
  const std::uint64_t seed = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || text[0] == '-' || errno != 0) {
    value.fail("a string with a number of 64 bits");
  }
  return seed;
}

LoadSettings settings_of(const JsonValue& one) {
  const auto count = [&one](const char* key, std::uint64_t least, std::uint64_t most) {
    return static_cast<std::uint64_t>(one.member(key, key).integer(least, most));
  };
  LoadSettings settings;
  settings.scenario = scenario_of(one.member("scenario", "scenario"));
  settings.queries_per_second = one.member("qps", "qps").number(1 / kMostRate, kMostRate);
  settings.min_duration = count("min_duration_ms", 0, kMostMilliseconds) * 1'000'000;
  settings.min_queries = count("min_query_count", 1, kMostCount);
  settings.total_samples = count("total_samples", 1, kMostCount);
  settings.performance_samples = count("performance_samples", 1, kMostCount);
  settings.samples_per_query = one.has("samples_per_query")
                                   ? count("samples_per_query", 1, kMostCount)
                                   : offline_samples(settings);
  const JsonValue seeds = one.member("seeds", "seeds");
  settings.set_seed = seed_of(seeds, "qsl");
  settings.sample_seed = seed_of(seeds, "sample_index");
  settings.schedule_seed = seed_of(seeds, "schedule");
  return settings;
}

/// Where the recorded hashes begin: a digit short of FNV's own basis, 14695981039346656037.
constexpr std::uint64_t kHashBasis = 1469598103934665603;

/// FNV-1a of 64 bits over values of 8 bytes, the lowest first, in hexadecimal digits.
std::string hash_text(const std::vector<std::uint64_t>& values) {
  std::uint64_t hash = kHashBasis;
  for (std::uint64_t value : values) {
    for (int byte = 0; byte < 8; ++byte, value >>= 8)
      hash = (hash ^ (value & 0xff)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

Json head(const std::vector<std::uint64_t>& values, std::size_t size) {
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(size, values.size()));
  return std::vector<std::uint64_t>(values.begin(), end);
}

}  // namespace

void answer_load_schedules(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    const LoadSettings settings = settings_of(one);
    const Load load = generate_load(settings);
    Json line =
        identity(one, {"name", "scenario", "qps", "min_duration_ms", "min_query_count",
                       "samples_per_query", "total_samples", "performance_samples", "seeds"});
    line["loadable_sets"] = load.loadable_sets;
    line["first_set_size"] = load.set.size();
    line["queries"] = load.times.size();
    line["last_ns"] = load.times.back();
    line["fnv1a64_times"] = hash_text(load.times);
    line["fnv1a64_indices"] = hash_text(load.samples);
    line["first_set_head"] = head(load.set, kSetHead);
    line["head_times_ns"] = head(load.times, kHead);
    line["head_indices"] = head(load.samples, kHead);
    print(line);
  });
}

void answer_early_stopping(const CaseFile& file, const CaseOutput& print) {
  const Table table = read_table(file.path());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const LatencyClaim claim{table.number(row, "percentile", 0.001, 0.99999),
                             table.number(row, "confidence", 0.001, 0.99999)};
    const auto over = static_cast<std::uint64_t>(table.number(row, "overlatency_t", 0, 1e6));
    const std::uint64_t within = least_within(claim, over);
    print({{"percentile", claim.percentile},
           {"confidence", claim.confidence},
           {"overlatency_t", over},
           {"min_passing_h", within},
           {"total", within + over}});
  }
}

}  // namespace td::job
