// SPDX-License-Identifier: Apache-2.0
#include "sim/system/loadgen/loadgen_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/support/error.hpp"
#include "sim/system/loadgen/measurement.hpp"
#include "sim/system/profile/profile_table.hpp"

namespace td::job {

namespace {

constexpr LatencyClaim kSingleStream = {0.9, 0.99};
constexpr LatencyClaim kMultiStream = {0.99, 0.99};
constexpr LatencyClaim kServer = {0.99, 0.99};
constexpr double kNsOfSecond = 1e9;
constexpr double kNsOfMillisecond = 1e6;
constexpr std::int64_t kMostAsked = std::int64_t{1} << 24;
constexpr std::int64_t kMostQuery = 4096;  ///< samples of a stream's query
constexpr double kMostQueries = 1 << 22;   ///< of one test
constexpr double kPrecision = 1e-3;        ///< of the largest rate, of what is possible

/// What the accelerators take for a batch that the scenario gives a profile of.
InferenceSystem::Batch read_batch(const TomlTable& one, const std::string& hardware) {
  one.allow_only({"batch", "profile", "snapshot", "profile_batch"});
  const auto samples = static_cast<std::uint64_t>(one.integer("batch", 1, kMostAsked));
  double seconds = 0;
  for (const ProfileLayer& layer : read_profile_of(one, hardware).layers) {
    seconds += layer.forward_s;
  }
  const auto ns = static_cast<std::uint64_t>(std::llround(seconds * kNsOfSecond));
  if (ns == 0) one.fail("profile", "one whose forward pass takes 1 ns or more");
  return {samples, ns};
}

InferenceSystem read_system(const TomlTable& table, const Cluster& cluster,
                            const std::string& hardware) {
  InferenceSystem system;
  system.accelerators = static_cast<std::uint64_t>(cluster.accelerators);
  for (const TomlTable& one : table.tables("batches")) {
    system.batches.push_back(read_batch(one, hardware));
    const std::size_t last = system.batches.size() - 1;
    if (last > 0 && system.batches[last].samples <= system.batches[last - 1].samples) {
      one.fail("batch", "more than those of the batch before");
    }
  }
  return system;
}

LoadSettings read_settings(const TomlTable& table) {
  constexpr double most_seconds = 1e5;
  LoadSettings settings;
  settings.min_duration =
      static_cast<std::uint64_t>(table.number("min_duration_s", 0, most_seconds) * kNsOfSecond);
  settings.min_queries = static_cast<std::uint64_t>(table.integer("min_queries", 1, kMostAsked));
  settings.schedule_seed = static_cast<std::uint64_t>(table.integer("seed", 0, UINT32_MAX));
  return settings;
}

void check_count(const TomlTable& table, double queries) {
  if (queries > kMostQueries) {
    table.fail("min_duration_s",
               fmt::format("so short that a test has at most {} queries", kMostQueries));
  }
}

double milliseconds(std::uint64_t ns) { return static_cast<double>(ns) / kNsOfMillisecond; }

/// Lines of a stream of queries of so many samples.
Plan stream_lines(const TomlTable& table, LoadSettings settings, const InferenceSystem& system,
                  const std::string& name, const LatencyClaim& claim) {
  const double queries = static_cast<double>(settings.min_duration) /
                         static_cast<double>(system.service_ns(settings.samples_per_query));
  check_count(table, queries);
  const LoadTest test = run_load(settings, system);
  const auto claimed = claimed_latency(test, claim);
  Plan lines;
  lines[name + "_queries"] = test.latencies.size();
  lines[fmt::format("{}_latency_ms_of_{:g}_percent", name, 100 * claim.percentile)] =
      milliseconds(test.latency_at(claim.percentile));
  lines[name + "_claimed_latency_ms"] = claimed ? Plan(milliseconds(*claimed)) : Plan(nullptr);
  lines[name + "_valid"] = claimed && long_enough(test, settings);
  return lines;
}

/// A server's test at some rates.
class ServerTests {
 public:
  ServerTests(const TomlTable& table, const LoadSettings& settings, const InferenceSystem& system)
      : table_(table), settings_(settings), system_(system) {
    settings_.scenario = LoadScenario::server;
    // No fewer than what tells with one query over the bound.
    settings_.min_queries = std::max(settings_.min_queries, least_within(kServer, 1) + 1);
    constexpr double most_ms = 1e9;
    bound_ns_ =
        static_cast<std::uint64_t>(table.number("server_bound_ms", 0, most_ms) * kNsOfMillisecond);
    // Who takes part in a larger batch than keeps the bound is late in any case.
    while (system_.batches.size() > 1 && system_.batches.back().ns > bound_ns_) {
      system_.batches.pop_back();
    }
  }

  /// Of the rate asked for, or the largest one that is valid.
  Plan lines() {
    const bool given = table_.has("server_queries_per_s");
    const double rate =
        given ? table_.number("server_queries_per_s", 1e-9, kNsOfSecond) : largest_rate();
    Plan lines = {{"server_queries_per_s", rate}};
    if (rate == 0) {
      lines["server_valid"] = false;
      return lines;
    }
    const LoadTest test = at(rate);
    lines["server_queries"] = test.latencies.size();
    lines["server_latency_ms_of_99_percent"] = milliseconds(test.latency_at(kServer.percentile));
    lines["server_queries_over_bound"] = over_bound(test, bound_ns_);
    lines["server_valid"] = is_valid(test);
    return lines;
  }

 private:
  LoadTest at(double rate) {
    settings_.queries_per_second = rate;
    check_count(table_, rate * static_cast<double>(settings_.min_duration) / kNsOfSecond);
    return run_load(settings_, system_);
  }

  bool is_valid(const LoadTest& test) const {
    return within_bound(test, kServer, bound_ns_) && long_enough(test, settings_);
  }

  /// 0 where not even a thousandth of what the accelerators can do is valid.
  double largest_rate() {
    double valid = 0;
    const double most = system_.most_samples_per_s();
    double other = most;
    if (is_valid(at(other))) return other;
    while (other - valid > kPrecision * most) {
      const double middle = (valid + other) / 2;
      (is_valid(at(middle)) ? valid : other) = middle;
    }
    return valid;
  }

  const TomlTable& table_;
  LoadSettings settings_;
  InferenceSystem system_;
  std::uint64_t bound_ns_ = 0;
};

Plan offline_lines(const TomlTable& table, LoadSettings settings, const InferenceSystem& system) {
  settings.scenario = LoadScenario::offline;
  settings.queries_per_second = system.most_samples_per_s();
  settings.min_queries =
      static_cast<std::uint64_t>(table.integer("offline_samples", 1, kMostAsked));
  settings.samples_per_query = offline_samples(settings);
  const LoadTest test = run_load(settings, system);
  const auto samples = static_cast<double>(settings.samples_per_query);
  return {{"offline_samples", settings.samples_per_query},
          {"offline_samples_per_s", samples * kNsOfSecond / static_cast<double>(test.end)},
          {"offline_valid", long_enough(test, settings)}};
}

}  // namespace

Plan plan_inference(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind", "hardware", "batches", "min_duration_s", "min_queries", "seed",
                    "multi_stream_samples", "server_bound_ms", "server_queries_per_s",
                    "offline_samples"});
  return plan_by_hardware(table, [&](const std::string& hardware) {
    const InferenceSystem system = read_system(table, cluster, hardware);
    LoadSettings settings = read_settings(table);
    settings.scenario = LoadScenario::single_stream;
    Plan lines = stream_lines(table, settings, system, "single_stream", kSingleStream);
    settings.scenario = LoadScenario::multi_stream;
    settings.samples_per_query =
        static_cast<std::uint64_t>(table.integer("multi_stream_samples", 1, kMostQuery));
    lines.update(stream_lines(table, settings, system, "multi_stream", kMultiStream));
    settings.samples_per_query = 1;
    lines.update(ServerTests(table, settings, system).lines());
    lines.update(offline_lines(table, settings, system));
    return lines;
  });
}

}  // namespace td::job
