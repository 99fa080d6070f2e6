// SPDX-License-Identifier: Apache-2.0
// What accelerators are worth in MLPerf Inference's four scenarios.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "inference": hardware; batches = [{batch, profile}], results of forward passes
/// of so many samples; min_duration_s and min_queries of a test; seed of the Server's schedule;
/// multi_stream_samples of a query; server_bound_ms (batches that take longer are not used), and
/// server_queries_per_s (without it: the largest rate whose test is valid, to a thousandth of what
/// the accelerators can do); offline_samples, the least. The percentiles are the rules': 90 % of
/// SingleStream, 99 % of MultiStream and Server, each with early stopping at a confidence of 99 %.
Plan plan_inference(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
