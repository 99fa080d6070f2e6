// SPDX-License-Identifier: Apache-2.0
#include "sim/system/pretraining/encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/system/graph/execution.hpp"

namespace td::job {
namespace {

constexpr double kHalfBytes = 2, kSingleBytes = 4;

/// A backward pass has two products for each of the forward one, and elementwise operations that
/// read the gradient too.
constexpr double kBackwardProducts = 2, kBackwardPasses = 1.5;

/// Three biases of 2, twice bias 2, dropout 2, residual 3, normalisation 4; bias 2, GELU in eight
/// kernels of 2; scaling, mask, softmax, dropout of 2 each.
constexpr Passes kApart = {2 * (2 + 2 + 3 + 4), 3 * 2, 2 + 8 * 2, 4 * 2, 3 + 2 * 4 + 1 + 8 + 4};

/// Biases in one; twice all behind a product in one, which reads two and writes one; bias with
/// GELU; all on scores.
constexpr Passes kFused = {2 * 3, 3 * 2, 2, 2, 1 + 2 + 1 + 1};

/// Of LAMB over parameters of 4 bytes: reads and writes of weights, gradients and two moments, in
/// one pass for the direction, one for the step; apart, each operation has its own.
constexpr double kFusedUpdate = 10, kApartUpdate = 30;
constexpr double kTensorsOfLayer = 16, kKernelsOfTensor = 12, kFusedUpdateKernels = 2;

double bytes_of_number(const EncoderSwitches& switches) {
  return switches.mixed_precision ? kHalfBytes : kSingleBytes;
}

double layer_parameters(const EncoderNetwork& network) {
  constexpr double matrices = 12, vectors = 13;
  return matrices * network.hidden * network.hidden + vectors * network.hidden;
}

double update_seconds(const EncoderJob& job) {
  const bool fused = job.switches.fused_kernels;
  const double passes = fused ? kFusedUpdate : kApartUpdate;
  const double kernels =
      fused ? kFusedUpdateKernels : job.network.layers * kTensorsOfLayer * kKernelsOfTensor;
  return passes * parameters_of(job.network) * kSingleBytes / job.machine.memory_bytes_per_s +
         kernels * job.machine.launch_s;
}

double exchange_seconds(const EncoderJob& job, double parameters) {
  const EncoderMachine& machine = job.machine;
  const double bytes = parameters * bytes_of_number(job.switches);
  const auto inner = static_cast<double>(std::min(machine.of_node, machine.accelerators));
  const double nodes = std::ceil(static_cast<double>(machine.accelerators) / inner);
  return ring_seconds(bytes, inner, machine.inner_bytes_per_s) +
         ring_seconds(bytes, nodes, machine.link_bytes_per_s);
}

/// Builds a step: the accelerator's tasks one behind the other, exchanges beside them.
class Step {
 public:
  Step(const EncoderJob& job, const std::string& source)
      : job_(job),
        graph_(source),
        accelerator_(graph_.add({"accelerator", ResourceKind::compute, Policy::fifo})),
        link_(graph_.add({"link", ResourceKind::link, Policy::fifo})) {}

  Graph build() {
    for (std::int64_t i = 0; i < job_.switches.accumulation; ++i) {
      microbatch(i, i + 1 == job_.switches.accumulation);
    }
    const TaskId behind = *last_;
    if (!job_.switches.overlap) exchange("all", parameters_of(job_.network), behind);
    work("update", "update", 0, update_seconds(job_));
    for (const TaskId one : exchanges_) graph_.add_edge(one, *last_);
    return std::move(graph_);
  }

 private:
  void microbatch(std::int64_t index, bool leaves) {
    const LayerTime time = layer_time(job_, job_.switches.fused_kernels ? kFused : kApart);
    const auto layers = static_cast<std::int64_t>(job_.network.layers);
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      work(fmt::format("layer {}", layer), "forward", index, time.products_s + time.elementwise_s);
    }
    const double backward_s = backward_seconds(time);
    const double of_layers = layer_parameters(job_.network);
    for (std::int64_t layer = layers - 1; layer >= 0; --layer) {
      const std::string name = fmt::format("layer {}", layer);
      const TaskId behind = work(name, "backward", index, backward_s);
      if (!leaves || !job_.switches.overlap) continue;
      // Embeddings are below the first layer: their gradients are the last.
      const double rest = parameters_of(job_.network) - job_.network.layers * of_layers;
      exchange(name, layer == 0 ? of_layers + rest : of_layers, behind);
    }
  }

  TaskId work(const std::string& layer, const char* phase, std::int64_t index, double seconds) {
    const TaskId id = graph_.add(
        {fmt::format("{} {} {}", phase, index, layer), accelerator_, seconds, 0, layer, phase});
    if (last_) graph_.add_edge(*last_, id);
    last_ = id;
    return id;
  }

  void exchange(const std::string& layer, double parameters, TaskId behind) {
    exchanges_.push_back(graph_.add({fmt::format("exchange {}", layer), link_,
                                     exchange_seconds(job_, parameters), 0, layer, "transfer"}));
    graph_.add_edge(behind, exchanges_.back());
  }

  const EncoderJob& job_;
  Graph graph_;
  ResourceId accelerator_, link_;
  std::optional<TaskId> last_;
  std::vector<TaskId> exchanges_;
};

}  // namespace

double parameters_of(const EncoderNetwork& network) {
  return network.layers * layer_parameters(network) +
         (network.vocabulary + network.positions) * network.hidden;
}

double layer_flop(const EncoderJob& job) {
  constexpr double matrices = 24, scores = 4;
  const double tokens = job.microbatch * job.sequence;
  return matrices * tokens * job.network.hidden * job.network.hidden +
         scores * tokens * job.sequence * job.network.hidden;
}

LayerTime layer_time(const EncoderJob& job, const Passes& passes, double shards) {
  const EncoderMachine& machine = job.machine;
  const double rate =
      job.switches.mixed_precision ? machine.half_flop_per_s : machine.single_flop_per_s;
  const double tokens = job.microbatch * job.sequence;
  constexpr double inner = 4;
  const double numbers = tokens * job.network.hidden *
                             (passes.between + (passes.hidden + inner * passes.inner) / shards) +
                         tokens * job.sequence * job.network.heads / shards * passes.scores;
  return {layer_flop(job) / shards / rate,
          numbers * bytes_of_number(job.switches) / machine.memory_bytes_per_s +
              passes.kernels * machine.launch_s};
}

double ring_seconds(double bytes, double members, double bytes_per_s) {
  return 2 * (members - 1) / members * bytes / bytes_per_s;
}

double backward_seconds(const LayerTime& forward) {
  return kBackwardProducts * forward.products_s + kBackwardPasses * forward.elementwise_s;
}

Graph encoder_step(const EncoderJob& job, const std::string& source) {
  return Step(job, source).build();
}

double sequences_per_s(const EncoderJob& job, const std::string& source) {
  const double sequences = job.microbatch * static_cast<double>(job.switches.accumulation) *
                           static_cast<double>(job.machine.accelerators);
  return sequences / execute(encoder_step(job, source)).makespan;
}

}  // namespace td::job
