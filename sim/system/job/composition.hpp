// SPDX-License-Identifier: Apache-2.0
// How a network is spread over accelerators, and what a step then takes: replicas of a pipeline
// whose stages may be split, layer by layer (tensor parallelism).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/pipeline/pipeline_schedule.hpp"
#include "sim/system/profile/profile.hpp"

namespace td::job {

/// Replicas, each a pipeline of the stages, each of which so many accelerators share. One stage of
/// one accelerator is data parallelism alone.
struct Composition {
  std::int64_t replicas = 1;
  std::int64_t stages = 1;
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  bool flush = true;              ///< false: two versions of the weights instead (PipeDream-2BW)
  std::int64_t chunks = 1;        ///< of each stage's accelerator, to interleave
  std::int64_t microbatches = 1;  ///< of a replica's step
  bool recompute = false;         ///< activations are computed anew ahead of a backward pass

  std::int64_t shards = 1;  ///< of each layer, on accelerators of one node

  std::int64_t accelerators() const { return replicas * stages * shards; }
};

/// "2 x 4 stages of 8 shards, 1f1b_flush, microbatches: 16"
std::string to_text(const Composition& composition);

/// What does not depend on the composition.
struct JobMachine {
  double link_bytes_per_s = 1;      ///< of each accelerator, each way
  double bucket_bytes = 0;          ///< of gradients that are summed at once
  double copies_of_parameters = 4;  ///< weights, gradients, two moments of an optimiser
  double inner_bytes_per_s = 1;     ///< of a link between accelerators of one node, each way
  std::int64_t of_node = 1;         ///< accelerators of a node
};

/// A step, and where its time goes.
struct ComposedStep {
  double compute_s = 0;     ///< of the accelerator that works longest
  double split_s = 0;       ///< in which it sends and receives parts of split layers
  double pipeline_s = 0;    ///< in which that one waits for others of its pipeline
  double exchange_s = 0;    ///< and for gradients to be summed
  double memory_bytes = 0;  ///< of the accelerator that needs most

  double seconds() const { return compute_s + split_s + pipeline_s + exchange_s; }
};

/// `profile` is of a replica's samples, on one accelerator. The output of a split layer with
/// parameters is gathered by all shards, and the gradients of its input are summed; neither waits
/// beside compute, and all shards keep all activations. Throws UserError where it has fewer layers
/// than chunk-stages.
ComposedStep step_of(const Profile& profile, const Composition& composition,
                     const JobMachine& machine);

/// All compositions of so many accelerators for replicas of a network with so many layers, where a
/// step has `samples` in all: whole numbers of samples in each microbatch, and no more shards than
/// a node has accelerators.
std::vector<Composition> compositions_of(std::int64_t accelerators, std::int64_t layers,
                                         std::int64_t samples, std::int64_t of_node);

}  // namespace td::job
