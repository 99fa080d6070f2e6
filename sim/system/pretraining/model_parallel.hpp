// SPDX-License-Identifier: Apache-2.0
// A language model too large for an accelerator: layers split within a node, a pipeline of nodes,
// replicas of it (Narayanan et al., arXiv:2104.04473).
#pragma once

#include <cstdint>
#include <string>

#include "sim/system/pretraining/encoder.hpp"

namespace td::job {

struct ModelParallelJob {
  EncoderJob layers;        ///< its microbatch is that of a replica
  std::int64_t batch = 1;   ///< sequences of a step
  std::int64_t shards = 1;  ///< of a layer, in one node
  std::int64_t stages = 1;  ///< of a replica's pipeline
  std::int64_t chunks = 1;  ///< of a stage, to interleave

  std::int64_t replicas() const { return layers.machine.accelerators / (shards * stages); }
  std::int64_t microbatches() const {
    return batch / replicas() / static_cast<std::int64_t>(layers.microbatch);
  }
};

/// Seconds of a step on an accelerator of the first stage: they add up to all of it.
struct ModelParallelStep {
  double products = 0;
  double elementwise = 0;
  double split = 0;     ///< sums over a layer's shards
  double waits = 0;     ///< for others of the pipeline
  double exchange = 0;  ///< of gradients with the other replicas, behind the pipeline
  double update = 0;

  double seconds() const { return products + elementwise + split + waits + exchange + update; }
};

/// Activations are computed anew ahead of each backward pass. A split layer's two halves each end
/// in a sum over the shards, which nothing hides; the last chunk has the product with the
/// vocabulary. Each accelerator sends its share of an activation to the next stage, in another
/// node.
/// Throws UserError naming `source` where no pipeline can be interleaved so.
ModelParallelStep model_parallel_step(const ModelParallelJob& job, const std::string& source);

}  // namespace td::job
