// SPDX-License-Identifier: Apache-2.0
#include "sim/system/pretraining/model_parallel.hpp"

#include <algorithm>
#include <cmath>

#include "sim/system/graph/execution.hpp"
#include "sim/system/pipeline/pipeline_schedule.hpp"

namespace td::job {
namespace {

constexpr double kBytes = 2;  // of an activation's number and of a gradient's

/// Twice bias, dropout and residual in one, which reads two and writes one, and normalisation of 2;
/// bias with GELU; scaling, mask and softmax in one, dropout.
constexpr Passes kPasses = {2 * (3 + 2), 0, 2, 2 + 2, 2 * 2 + 1 + 2};

/// Bytes of a microbatch between two halves of a layer.
double activation_bytes(const ModelParallelJob& job) {
  return kBytes * job.layers.microbatch * job.layers.sequence * job.layers.network.hidden;
}

/// Seconds of a microbatch in one layer, with the forward pass twice.
struct LayerParts {
  double products, elementwise, split;
};

LayerParts layer_parts(const ModelParallelJob& job) {
  constexpr double sums_forward = 2, passes = 3;
  const auto shards = static_cast<double>(job.shards);
  const LayerTime forward = layer_time(job.layers, kPasses, shards);
  const auto of_step = [](const LayerTime& one) {
    return 2 * (one.products_s + one.elementwise_s) + backward_seconds(one);
  };
  return {of_step({forward.products_s, 0}), of_step({0, forward.elementwise_s}),
          passes * sums_forward *
              ring_seconds(activation_bytes(job), shards, job.layers.machine.inner_bytes_per_s)};
}

/// Replicas of a stage lie side by side: rings within nodes, then among them, where each of a
/// node's shards has its share of the link.
double exchange_seconds(const ModelParallelJob& job, double parameters) {
  const EncoderMachine& machine = job.layers.machine;
  const double bytes = kBytes * parameters;
  const auto inner = static_cast<double>(std::min(machine.of_node / job.shards, job.replicas()));
  const double nodes = std::ceil(static_cast<double>(job.replicas()) / inner);
  return ring_seconds(bytes, inner, machine.inner_bytes_per_s) +
         ring_seconds(bytes, nodes, machine.link_bytes_per_s / static_cast<double>(job.shards));
}

Pipeline pipeline_of(const ModelParallelJob& job) {
  const EncoderNetwork& network = job.layers.network;
  const EncoderMachine& machine = job.layers.machine;
  const auto shards = static_cast<double>(job.shards);
  Pipeline pipeline;
  pipeline.schedule =
      job.chunks > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_forward_one_backward;
  pipeline.devices = job.stages;
  pipeline.microbatches = job.microbatches();
  pipeline.chunks = job.chunks;
  const auto cuts = static_cast<std::size_t>(job.stages * job.chunks);
  const double layers = network.layers / static_cast<double>(cuts);
  const LayerTime forward = layer_time(job.layers, kPasses, shards);
  const LayerParts all = layer_parts(job);
  const double forward_s = forward.products_s + forward.elementwise_s + all.split / 3;
  pipeline.forward.assign(cuts, layers * forward_s);
  pipeline.backward.assign(cuts, layers * (all.products + all.elementwise + all.split - forward_s));
  constexpr double operations = 2;
  const double words_s = operations * job.layers.microbatch * job.layers.sequence * network.hidden *
                         network.vocabulary / shards / machine.half_flop_per_s;
  pipeline.forward.back() += words_s;
  pipeline.backward.back() += backward_seconds({words_s, 0});
  pipeline.transfer = activation_bytes(job) / shards * static_cast<double>(machine.of_node) /
                      machine.link_bytes_per_s;
  return pipeline;
}

}  // namespace

ModelParallelStep model_parallel_step(const ModelParallelJob& job, const std::string& source) {
  // Adam reads weights, gradient and two moments in single precision, and writes all but one.
  constexpr double update_bytes = 7 * 4;
  const EncoderMachine& machine = job.layers.machine;
  const double pipelined = execute(pipeline_graph(pipeline_of(job), source)).makespan;
  const double passes = job.layers.network.layers / static_cast<double>(job.stages) *
                        static_cast<double>(job.microbatches());
  const double parameters =
      parameters_of(job.layers.network) / static_cast<double>(job.shards * job.stages);
  const LayerParts parts = layer_parts(job);
  ModelParallelStep step;
  step.products = passes * parts.products;
  step.elementwise = passes * parts.elementwise;
  step.split = passes * parts.split;
  step.waits = pipelined - step.products - step.elementwise - step.split;
  step.exchange = exchange_seconds(job, parameters);
  step.update = update_bytes * parameters / machine.memory_bytes_per_s;
  return step;
}

}  // namespace td::job
