// SPDX-License-Identifier: Apache-2.0
#include "sim/system/job/composition.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/system/graph/execution.hpp"
#include "sim/system/pipeline/cut.hpp"
#include "sim/system/training/training.hpp"

namespace td::job {

namespace {

constexpr std::int64_t kUnflushedIterations = 4;  // the last of them is steady
constexpr std::int64_t kChunks = 2;
constexpr std::int64_t kMostFillings = 8;   // microbatches for each stage
constexpr std::int64_t kMostGathered = 64;  // ... of the whole network

const char* schedule_name(const Composition& composition) {
  if (composition.schedule == PipelineSchedule::interleaved) return "interleaved";
  return composition.flush ? "1f1b_flush" : "2bw";
}

/// What a device of the pipeline holds of the network: sums over its chunk-stages.
struct DeviceShare {
  double parameter_bytes = 0;
  double activation_bytes = 0;  ///< of the largest chunk-stage and a microbatch
  double input_bytes = 0;       ///< likewise, of what comes in
};

std::vector<DeviceShare> shares_of(const Profile& profile, const std::vector<std::size_t>& first,
                                   const Pipeline& pipeline) {
  std::vector<DeviceShare> shares(static_cast<std::size_t>(pipeline.devices));
  const auto microbatches = static_cast<double>(pipeline.microbatches);
  for (std::size_t c = 0; c < first.size(); ++c) {
    DeviceShare& share = shares[c % shares.size()];
    const std::size_t end = c + 1 < first.size() ? first[c + 1] : profile.layers.size();
    double activations = 0;
    for (std::size_t i = first[c]; i < end; ++i) {
      share.parameter_bytes += profile.layers[i].parameter_bytes;
      activations += profile.layers[i].activation_bytes / microbatches;
    }
    const double input =
        first[c] == 0 ? 0 : profile.layers[first[c] - 1].activation_bytes / microbatches;
    share.activation_bytes = std::max(share.activation_bytes, activations);
    share.input_bytes = std::max(share.input_bytes, input);
  }
  return shares;
}

double memory_of(const DeviceShare& share, const Composition& composition, const Pipeline& pipeline,
                 std::int64_t device, const JobMachine& machine) {
  // Without a flush as many are on the way as with one: stages from here on.
  const auto held = static_cast<double>(activations_in_flight(pipeline, device));
  const double copies = machine.copies_of_parameters + (composition.flush ? 0 : 1);
  const double activations = composition.recompute
                                 ? held * share.input_bytes + share.activation_bytes
                                 : held * share.activation_bytes;
  return copies * share.parameter_bytes + activations;
}

double ring_seconds(double bytes, std::int64_t replicas, double bytes_per_s) {
  const auto n = static_cast<double>(replicas);
  return 2 * (n - 1) / n * bytes / bytes_per_s;
}

Pipeline pipeline_of(const Profile& profile, const Composition& composition,
                     const std::vector<std::size_t>& first, const JobMachine& machine) {
  Pipeline order;
  order.schedule = composition.schedule;
  order.devices = composition.stages;
  order.chunks = composition.chunks;
  order.microbatches = composition.microbatches;
  if (!composition.flush) order.iterations = kUnflushedIterations;
  Pipeline pipeline = cut_pipeline(profile, first, order, machine.link_bytes_per_s);
  if (composition.recompute) {
    for (std::size_t c = 0; c < pipeline.forward.size(); ++c) {
      pipeline.backward[c] += pipeline.forward[c];
    }
  }
  return pipeline;
}

/// A step of several stages, of which a flush ends each, or without: then gradients are summed
/// beside the next step.
ComposedStep pipelined_step(const Profile& profile, const Composition& composition,
                            const JobMachine& machine) {
  const auto cuts = static_cast<std::size_t>(composition.stages * composition.chunks);
  const std::vector<std::size_t> first = balanced_cut(profile, cuts);
  const Pipeline pipeline = pipeline_of(profile, composition, first, machine);
  const std::vector<DeviceShare> shares = shares_of(profile, first, pipeline);
  const Graph graph = pipeline_graph(pipeline, profile.source);
  const Schedule schedule = execute(graph);
  const std::vector<double> busy = busy_seconds(graph);
  const double pipelined = composition.flush ? schedule.makespan : *steady_seconds(graph, schedule);
  std::vector<double> ends(shares.size(), 0);
  for (std::size_t id = 0; id < graph.tasks().size(); ++id) {
    const ResourceId device = graph.tasks()[id].resource;
    if (device != kNoResource) ends[device] = std::max(ends[device], schedule.end[id]);
  }
  ComposedStep step;
  const auto steps = static_cast<double>(composition.flush ? 1 : pipeline.iterations + 1);
  step.compute_s = *std::max_element(busy.begin(), busy.end()) / steps;
  step.pipeline_s = std::max(0.0, pipelined - step.compute_s);  // but for rounding
  double seconds = pipelined;
  for (std::size_t device = 0; device < shares.size(); ++device) {
    const double ring = ring_seconds(shares[device].parameter_bytes, composition.replicas,
                                     machine.link_bytes_per_s);
    seconds = std::max(seconds, composition.flush ? ends[device] + ring : ring);
    step.memory_bytes =
        std::max(step.memory_bytes, memory_of(shares[device], composition, pipeline,
                                              static_cast<std::int64_t>(device), machine));
  }
  step.exchange_s = seconds - pipelined;
  return step;
}

/// A step of replicas of the whole network: gradients of its microbatches are gathered, and summed
/// beside the last one's backward pass.
ComposedStep data_parallel_step(const Profile& profile, const Composition& composition,
                                const JobMachine& machine) {
  const auto microbatches = static_cast<double>(composition.microbatches);
  Profile last = profile;
  ComposedStep step;
  for (ProfileLayer& layer : last.layers) {
    layer.forward_s /= microbatches;
    layer.backward_s /= microbatches;
    step.memory_bytes += machine.copies_of_parameters * layer.parameter_bytes +
                         layer.activation_bytes / microbatches;
  }
  step.compute_s = compute_seconds(profile);
  step.exchange_s =
      step_seconds(last, {composition.replicas, machine.link_bytes_per_s, machine.bucket_bytes}) -
      compute_seconds(last);
  return step;
}

/// A pipeline's schedules, with all activations kept and not.
void add_pipelines(Composition one, std::int64_t layers, std::vector<Composition>& found) {
  for (const bool recompute : {false, true}) {
    one.recompute = recompute;
    found.push_back(one);
    Composition unflushed = one;
    unflushed.flush = false;
    found.push_back(unflushed);
    if (one.stages * kChunks > layers) continue;
    Composition interleaved = one;
    interleaved.schedule = PipelineSchedule::interleaved;
    interleaved.chunks = kChunks;
    found.push_back(interleaved);
  }
}

}  // namespace

std::string to_text(const Composition& composition) {
  const std::string microbatches = fmt::format("microbatches: {}", composition.microbatches);
  if (composition.stages == 1) {
    return fmt::format("{} x the whole, {}", composition.replicas, microbatches);
  }
  return fmt::format("{} x {} stages, {}, {}{}", composition.replicas, composition.stages,
                     schedule_name(composition), microbatches,
                     composition.recompute ? ", recomputed" : "");
}

ComposedStep step_of(const Profile& profile, const Composition& composition,
                     const JobMachine& machine) {
  return composition.stages == 1 ? data_parallel_step(profile, composition, machine)
                                 : pipelined_step(profile, composition, machine);
}

std::vector<Composition> compositions_of(std::int64_t accelerators, std::int64_t layers,
                                         std::int64_t samples) {
  std::vector<Composition> found;
  for (std::int64_t stages = 1; stages <= std::min(accelerators, layers); ++stages) {
    const std::int64_t replicas = accelerators / stages;
    if (accelerators % stages != 0 || samples % replicas != 0) continue;
    const std::int64_t most = stages == 1 ? kMostGathered : kMostFillings;
    for (std::int64_t fillings = 1; fillings <= most; fillings *= 2) {
      Composition one{replicas, stages};
      one.microbatches = fillings * stages;
      if (samples / replicas % one.microbatches != 0) continue;
      if (stages == 1) {
        found.push_back(one);
      } else {
        add_pipelines(one, layers, found);
      }
    }
  }
  return found;
}

}  // namespace td::job
