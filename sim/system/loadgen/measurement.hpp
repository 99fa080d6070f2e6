// SPDX-License-Identifier: Apache-2.0
// A test of MLPerf Inference on simulated accelerators: latencies of its queries, and whether the
// load generator would call the test valid.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/system/loadgen/early_stopping.hpp"
#include "sim/system/loadgen/load.hpp"

namespace td::job {

/// Accelerators that are alike, and how long one of them takes for some numbers of samples at once.
/// Every sample takes as long as any other.
struct InferenceSystem {
  struct Batch {
    std::uint64_t samples;
    std::uint64_t ns;
  };
  std::vector<Batch> batches;  ///< at least one; by their samples, ascending
  std::uint64_t accelerators = 1;

  /// So many samples on one accelerator, in the batches that take least; the last may be filled up.
  std::uint64_t service_ns(std::uint64_t samples) const;
  /// The one with most samples a second.
  const Batch& best_batch() const;
  /// Of all accelerators.
  double most_samples_per_s() const;
};

/// What a test measured.
struct LoadTest {
  std::vector<std::uint64_t> latencies;  ///< ns, of the queries as they were issued
  std::uint64_t end = 0;                 ///< ns, when the last sample was done

  /// The percentile (a share, as 0.9) as the load generator defines it, ns.
  std::uint64_t latency_at(double percentile) const;
};

/// Runs the queries of `settings`: a stream's next when the one before is over, on one accelerator;
/// a server's, of one sample, at their times, first come, first served, an idle accelerator taking
/// the largest batch that those who wait fill (or the smallest, filled up); Offline's samples dealt
/// to the accelerators in best batches.
LoadTest run_load(const LoadSettings& settings, const InferenceSystem& system);

/// The latency that early stopping lets a stream claim for a percentile, ns; nothing: there are too
/// few queries for any.
std::optional<std::uint64_t> claimed_latency(const LoadTest& test, const LatencyClaim& claim);

/// Queries whose latency is above a bound.
std::uint64_t over_bound(const LoadTest& test, std::uint64_t bound_ns);

/// Whether a server's test shows that the claim's percentile of queries is within the bound.
bool within_bound(const LoadTest& test, const LatencyClaim& claim, std::uint64_t bound_ns);

/// Whether the test was as long and had as many queries as its settings ask for.
bool long_enough(const LoadTest& test, const LoadSettings& settings);

}  // namespace td::job
