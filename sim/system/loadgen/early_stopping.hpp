// SPDX-License-Identifier: Apache-2.0
// MLPerf Inference's early stopping: how many queries tell enough about a percentile of latency.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace td::job {

/// What is claimed: `percentile` of all queries are within a bound, with `confidence`. Both are
/// shares, in 0..1 exclusive.
struct LatencyClaim {
  double percentile;
  double confidence;
};

/// The least number of queries within the bound that supports the claim when `over` more are over
/// it: at most `over` of all would exceed it with a probability below 1 − confidence, were the
/// claim just not true.
std::uint64_t least_within(const LatencyClaim& claim, std::uint64_t over);

/// Whether a Server's run of n queries, `over` of them over the bound, supports the claim.
bool supports(const LatencyClaim& claim, std::uint64_t queries, std::uint64_t over);

/// A stream's estimate of the percentile from its latencies, sorted, in any unit; nothing when they
/// are too few.
std::optional<double> percentile_estimate(const LatencyClaim& claim,
                                          const std::vector<double>& sorted);

/// The percentile's plain latency: element floor(n·percentile) of n that are sorted.
double percentile_latency(double percentile, const std::vector<double>& sorted);

}  // namespace td::job
