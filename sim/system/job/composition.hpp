// SPDX-License-Identifier: Apache-2.0
// How a network is spread over accelerators, and what a step then takes: replicas of a pipeline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/pipeline/pipeline_schedule.hpp"
#include "sim/system/profile/profile.hpp"

namespace td::job {

/// Replicas, each a pipeline of the stages. One stage is data parallelism alone.
struct Composition {
  std::int64_t replicas = 1;
  std::int64_t stages = 1;
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  bool flush = true;              ///< false: two versions of the weights instead (PipeDream-2BW)
  std::int64_t chunks = 1;        ///< of each stage's accelerator, to interleave
  std::int64_t microbatches = 1;  ///< of a replica's step
  bool recompute = false;         ///< activations are computed anew ahead of a backward pass

  std::int64_t accelerators() const { return replicas * stages; }
};

/// "2 x 4 stages, 1f1b_flush, microbatches: 16"
std::string to_text(const Composition& composition);

/// What does not depend on the composition.
struct JobMachine {
  double link_bytes_per_s = 1;      ///< of each accelerator, each way
  double bucket_bytes = 0;          ///< of gradients that are summed at once
  double copies_of_parameters = 4;  ///< weights, gradients, two moments of an optimiser
};

/// A step, and where its time goes.
struct ComposedStep {
  double compute_s = 0;     ///< of the accelerator that works longest
  double pipeline_s = 0;    ///< in which that one waits for others of its pipeline
  double exchange_s = 0;    ///< and for gradients to be summed
  double memory_bytes = 0;  ///< of the accelerator that needs most

  double seconds() const { return compute_s + pipeline_s + exchange_s; }
};

/// `profile` is of a replica's samples, on one accelerator. Throws UserError where it has fewer
/// layers than chunk-stages.
ComposedStep step_of(const Profile& profile, const Composition& composition,
                     const JobMachine& machine);

/// All compositions of so many accelerators for replicas of a network with so many layers, where a
/// step has `samples` in all: whole numbers of samples in each microbatch.
std::vector<Composition> compositions_of(std::int64_t accelerators, std::int64_t layers,
                                         std::int64_t samples);

}  // namespace td::job
