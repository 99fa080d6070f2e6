// SPDX-License-Identifier: Apache-2.0
// MLPerf Inference's load generator: which samples a test queries, and when. Bit by bit that of
// version 6.0.17 built with GNU libstdc++, whose random distributions it uses: the standard leaves
// their results open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace td::job {

enum class LoadScenario { single_stream, multi_stream, server, offline };

struct LoadSettings {
  LoadScenario scenario = LoadScenario::server;
  double queries_per_second = 1;   ///< Server: on the mean; streams: 1 / the latency expected
  std::uint64_t min_duration = 0;  ///< ns
  std::uint64_t min_queries = 1;
  std::uint64_t samples_per_query = 1;    ///< Offline: of its only query, see offline_samples
  std::uint64_t total_samples = 1;        ///< of the data set
  std::uint64_t performance_samples = 1;  ///< that fit into memory together
  /// Of three generators, each reduced modulo 2^32.
  std::uint64_t set_seed = 0, sample_seed = 0, schedule_seed = 0;
};

struct Load {
  std::size_t loadable_sets = 0;       ///< into which the samples are cut
  std::vector<std::uint64_t> set;      ///< samples of the first, and MultiStream's padding
  std::vector<std::uint64_t> times;    ///< ns, of each query
  std::vector<std::uint64_t> samples;  ///< samples_per_query for each query
};

/// The samples of Offline's query: what 1.1 times the rate needs for the duration, or the least
/// number of queries.
std::uint64_t offline_samples(const LoadSettings& settings);

/// The load of a test. SingleStream's and MultiStream's times are upper bounds: a stream's next
/// query is issued when the one before is over.
Load generate_load(const LoadSettings& settings);

}  // namespace td::job
