// SPDX-License-Identifier: Apache-2.0
// Pipeline schedules: GPipe, 1F1B with a flush (PipeDream-flush) and interleaved 1F1B (Megatron),
// as orders of every device and as graphs. Narayanan et al., arXiv:2006.09503 and arXiv:2104.04473.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/graph/graph.hpp"

namespace td::job {

enum class PipelineSchedule { gpipe, one_forward_one_backward, interleaved };

/// A model cut into devices x chunks chunk-stages; chunk-stage c runs on device c mod devices.
struct Pipeline {
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  std::int64_t devices = 1;
  std::int64_t microbatches = 1;     ///< of an iteration
  std::int64_t chunks = 1;           ///< of each device; 1 unless interleaved
  std::vector<double> forward = {};  ///< seconds of a microbatch in each chunk-stage
  std::vector<double> backward = {};
  double transfer = 0;  ///< seconds between devices, each way; occupies none
  /// 1F1B may have several, without a flush between them; one more then keeps the pipeline full,
  /// whose tasks are of iteration -1.
  std::int64_t iterations = 1;
};

/// A forward or backward pass of one microbatch through one chunk-stage.
struct StagePass {
  bool backward;
  std::int64_t stage;  ///< chunk-stage
  std::int64_t microbatch;

  bool operator==(const StagePass& other) const {
    return backward == other.backward && stage == other.stage && microbatch == other.microbatch;
  }
};

/// Throws UserError naming `source` and the field that no schedule can have.
void check_pipeline(const Pipeline& pipeline, const std::string& source);

/// What a device does, in order.
std::vector<StagePass> device_order(const Pipeline& pipeline, std::int64_t device);

/// Its iterations: a compute resource for each device, which takes its passes in the fixed order.
/// Throws as check_pipeline() does.
Graph pipeline_graph(const Pipeline& pipeline, const std::string& source);

/// Microbatches whose activations device s holds at most, between their passes; in units of a
/// chunk-stage's microbatch.
std::int64_t activations_in_flight(const Pipeline& pipeline, std::int64_t device);

}  // namespace td::job
