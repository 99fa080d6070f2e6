// SPDX-License-Identifier: Apache-2.0
// A partition at work: 1F1B without a flush, replicas in turn (PipeDream's 1F1B-RR).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/graph/graph.hpp"
#include "sim/system/partition/partition.hpp"

namespace td::job {

/// What is executed, on one level of links.
struct PartitionRun {
  const std::vector<CutState>& states;
  const PartitionRequest& request;
  const std::vector<Stage>& stages;
  std::int64_t in_flight = 1;  ///< times PipeDream's depth
};

/// Minibatches that a worker of stage s has begun and not ended, at most. PipeDream's depth is as
/// many as the workers from this stage on, for each of the stage's.
std::int64_t warmup_depth(const PartitionRun& run, std::size_t s);

/// The tasks of `minibatches` minibatches: minibatch b of a stage runs on its worker b mod
/// replicas, whose order is fixed. Weights are averaged at the end of a backward pass. Activations
/// and gradients occupy the links that pipeline_seconds() counts: those of all workers but the
/// first stage's. Throws UserError naming `source` when that is more than a graph can bear.
Graph partition_graph(const PartitionRun& run, std::int64_t minibatches, const std::string& source);

/// Seconds from minibatch to minibatch of that graph's execution, once the pipeline is full.
double executed_seconds(const PartitionRun& run, const std::string& source);

}  // namespace td::job
