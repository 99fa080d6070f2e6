// SPDX-License-Identifier: Apache-2.0
// Training as a graph, and what-ifs about it, built of the primitives: gradients exchanged whole or
// in slices by priority (P3: Jayarajan et al., MLSys 2019, arXiv:1905.03960), data parallelism by
// all-reduce, a fused optimiser (Daydream: Zhu et al., USENIX ATC 2020, arXiv:2006.03318).
#pragma once

#include <cstdint>

#include "sim/system/graph/transformation.hpp"
#include "sim/system/profile/profile.hpp"

namespace td::job {

struct TrainingOptions {
  std::int64_t iterations = 1;
  double update_bytes_per_s = 0;  ///< at which an update passes over parameters; 0: no updates
  double update_launch_s = 0;     ///< of each update besides
};

/// Iterations on one accelerator: every layer forward, then backward from the last to the first,
/// then an update of each layer that has parameters, in the layers' order. Tasks have phases
/// "forward", "backward" and "update"; a backward task's bytes are its gradients'.
Graph training_graph(const Profile& profile, const TrainingOptions& options);

/// How gradients travel to parameter servers that answer at once, and back.
struct ServerExchange {
  double bytes_per_s = 1;    ///< of the link, each way
  double piece_bytes = 0;    ///< pieces that a layer is cut into, the last shorter; 0: one piece
  bool by_priority = false;  ///< an idle link takes the first layer's first piece, not the oldest
};

/// Behind each backward task with bytes a task "up" and one "down" for each piece, on an uplink and
/// a downlink; what used the layer next (its update, or forward task) waits for all of them.
Graph exchange_with_servers(Graph graph, const ServerExchange& exchange);

struct RingExchange {
  std::int64_t accelerators = 1;
  double bytes_per_s = 1;   ///< of each accelerator's link
  double bucket_bytes = 0;  ///< gradients are gathered until there are so many
};

/// Behind the backward tasks of each bucket an all-reduce of 2(n-1)/n times its bytes on the link.
Graph exchange_by_all_reduce(Graph graph, const RingExchange& exchange);

/// Seconds of a steady step on each of `exchange.accelerators`, which sum their gradients around a
/// ring; of one accelerator its compute.
double step_seconds(const Profile& profile, const RingExchange& exchange);

/// One update for each iteration instead of its layers' ones: it takes their time, less what was
/// `launch_s` of all but one.
Graph fuse_updates(Graph graph, double launch_s);

}  // namespace td::job
