// SPDX-License-Identifier: Apache-2.0
// MLPerf Inference's early stopping: how many queries tell enough about a percentile of latency.
#pragma once

#include <cstdint>

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

}  // namespace td::job
