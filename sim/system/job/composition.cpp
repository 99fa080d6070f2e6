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

/// A layer's seconds of communication between its shards.
double split_seconds(const Profile& profile, std::size_t layer, const Composition& composition,
                     const JobMachine& machine, bool backward) {
  if (profile.layers[layer].parameter_bytes == 0) return 0;
  const auto n = static_cast<double>(composition.shards);
  const double output = profile.layers[layer].activation_bytes;
  const double input = layer == 0 ? 0 : profile.layers[layer - 1].activation_bytes;
  return (n - 1) / n * (backward ? 2 * input : output) / machine.inner_bytes_per_s;
}

/// What one of the shards does and holds.
Profile shard_of(const Profile& profile, const Composition& composition,
                 const JobMachine& machine) {
  Profile shard = profile;
  const auto n = static_cast<double>(composition.shards);
  for (std::size_t i = 0; i < profile.layers.size(); ++i) {
    ProfileLayer& layer = shard.layers[i];
    layer.forward_s = layer.forward_s / n + split_seconds(profile, i, composition, machine, false);
    layer.backward_s = layer.backward_s / n + split_seconds(profile, i, composition, machine, true);
    layer.parameter_bytes /= n;
  }
  return shard;
}

/// Seconds between shards in the layers of a device, of a step with all microbatches.
double split_seconds_of(const Profile& profile, const std::vector<std::size_t>& first,
                        std::size_t device, const Composition& composition,
                        const JobMachine& machine) {
  double seconds = 0;
  for (std::size_t c = device; c < first.size();
       c += static_cast<std::size_t>(composition.stages)) {
    const std::size_t end = c + 1 < first.size() ? first[c + 1] : profile.layers.size();
    for (std::size_t i = first[c]; i < end; ++i) {
      const double forward = split_seconds(profile, i, composition, machine, false);
      seconds += split_seconds(profile, i, composition, machine, true) +
                 (composition.recompute ? 2 : 1) * forward;
    }
  }
  return seconds;
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
ComposedStep pipelined_step(const Profile& whole, const Composition& composition,
                            const JobMachine& machine) {
  const Profile profile = shard_of(whole, composition, machine);
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
  const auto busiest = std::max_element(busy.begin(), busy.end());
  const double worked = *busiest / steps;
  step.split_s = split_seconds_of(whole, first, static_cast<std::size_t>(busiest - busy.begin()),
                                  composition, machine);
  step.compute_s = worked - step.split_s;
  step.pipeline_s = std::max(0.0, pipelined - worked);  // but for rounding
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
ComposedStep data_parallel_step(const Profile& whole, const Composition& composition,
                                const JobMachine& machine) {
  const Profile profile = shard_of(whole, composition, machine);
  const auto microbatches = static_cast<double>(composition.microbatches);
  Profile last = profile;
  ComposedStep step;
  for (ProfileLayer& layer : last.layers) {
    layer.forward_s /= microbatches;
    layer.backward_s /= microbatches;
    step.memory_bytes += machine.copies_of_parameters * layer.parameter_bytes +
                         layer.activation_bytes / microbatches;
  }
  step.split_s = split_seconds_of(whole, {0}, 0, composition, machine);
  step.compute_s = compute_seconds(profile) - step.split_s;
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

/// All of a replica's numbers of microbatches.
void add_microbatches(Composition one, std::int64_t layers, std::int64_t samples,
                      std::vector<Composition>& found) {
  const std::int64_t most = one.stages == 1 ? kMostGathered : kMostFillings;
  for (std::int64_t fillings = 1; fillings <= most; fillings *= 2) {
    one.microbatches = fillings * one.stages;
    if (samples % one.microbatches != 0) continue;
    if (one.stages == 1) {
      found.push_back(one);
    } else {
      add_pipelines(one, layers, found);
    }
  }
}

}  // namespace

std::string to_text(const Composition& composition) {
  const std::string microbatches = fmt::format("microbatches: {}", composition.microbatches);
  const std::string shards =
      composition.shards == 1 ? "" : fmt::format(" of {} shards", composition.shards);
  if (composition.stages == 1) {
    return fmt::format("{} x the whole{}, {}", composition.replicas, shards, microbatches);
  }
  return fmt::format("{} x {} stages{}, {}, {}{}", composition.replicas, composition.stages, shards,
                     schedule_name(composition), microbatches,
                     composition.recompute ? ", recomputed" : "");
}

ComposedStep step_of(const Profile& profile, const Composition& composition,
                     const JobMachine& machine) {
  return composition.stages == 1 ? data_parallel_step(profile, composition, machine)
                                 : pipelined_step(profile, composition, machine);
}

std::vector<Composition> compositions_of(std::int64_t accelerators, std::int64_t layers,
                                         std::int64_t samples, std::int64_t of_node) {
  std::vector<Composition> found;
  for (std::int64_t shards = 1; shards <= std::min(of_node, accelerators); ++shards) {
    if (accelerators % shards != 0 || of_node % shards != 0) continue;
    const std::int64_t groups = accelerators / shards;
    for (std::int64_t stages = 1; stages <= std::min(groups, layers); ++stages) {
      if (groups % stages != 0 || samples % (groups / stages) != 0) continue;
      Composition one{groups / stages, stages};
      one.shards = shards;
      add_microbatches(one, layers, samples / one.replicas, found);
    }
  }
  return found;
}

}  // namespace td::job
