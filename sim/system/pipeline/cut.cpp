// SPDX-License-Identifier: Apache-2.0
#include "sim/system/pipeline/cut.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/support/error.hpp"
#include "sim/system/profile/profile_table.hpp"

namespace td::job {

namespace {

double seconds(const ProfileLayer& layer) { return layer.forward_s + layer.backward_s; }

/// Iterations of a pipeline without a flush: the last of them are steady.
constexpr std::int64_t kIterations = 4;

/// What the table says of order and size; stages are not cut yet.
Pipeline read_pipeline(const TomlTable& table, const Cluster& cluster) {
  constexpr std::int64_t most_chunks = 1 << 10;
  constexpr std::int64_t usual_chunks = 2;
  Pipeline pipeline;
  pipeline.devices = cluster.accelerators;
  const std::string name = table.has("schedule") ? table.name("schedule") : "1f1b_flush";
  if (name == "gpipe") {
    pipeline.schedule = PipelineSchedule::gpipe;
  } else if (name == "interleaved") {
    pipeline.schedule = PipelineSchedule::interleaved;
    pipeline.chunks = usual_chunks;
  } else if (name == "2bw") {
    pipeline.iterations = kIterations;
  } else if (name != "1f1b_flush") {
    table.fail("schedule", "gpipe, 1f1b_flush, interleaved or 2bw");
  }
  if (table.has("chunks")) {
    if (name != "interleaved") table.fail("chunks", "(absent), unless schedule is interleaved");
    pipeline.chunks = table.integer("chunks", 2, most_chunks);
  }
  constexpr std::int64_t tasks_of_microbatch = 4;  // of a stage: two passes, two transfers
  const std::int64_t most =
      kMostTasks / (tasks_of_microbatch * pipeline.devices * pipeline.chunks * pipeline.iterations);
  // Two versions of the weights are enough only if an iteration fills the pipeline.
  const std::int64_t least = name == "2bw" ? pipeline.devices : 1;
  pipeline.microbatches = table.integer("microbatches", least, most);
  return pipeline;
}

}  // namespace

std::vector<std::size_t> balanced_cut(const Profile& profile, std::size_t stages) {
  const std::size_t layers = profile.layers.size();
  if (stages < 1 || stages > layers) {
    throw UserError(profile.source, "stages", fmt::format("{}", stages),
                    fmt::format("1..{}, the layers", layers));
  }
  std::vector<double> until(layers + 1, 0);
  for (std::size_t i = 0; i < layers; ++i) until[i + 1] = until[i] + seconds(profile.layers[i]);
  // best[s][i]: slowest of s stages that hold the first i layers; from[s][i]: where the last
  // begins.
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> best(stages + 1, std::vector<double>(layers + 1, never));
  std::vector<std::vector<std::size_t>> from(stages + 1, std::vector<std::size_t>(layers + 1, 0));
  best[0][0] = 0;
  for (std::size_t s = 1; s <= stages; ++s) {
    for (std::size_t i = s; i <= layers; ++i) {
      for (std::size_t k = s - 1; k < i; ++k) {
        const double slowest = std::max(best[s - 1][k], until[i] - until[k]);
        if (slowest >= best[s][i]) continue;
        best[s][i] = slowest;
        from[s][i] = k;
      }
    }
  }
  std::vector<std::size_t> first(stages);
  for (std::size_t s = stages, i = layers; s > 0; --s) first[s - 1] = i = from[s][i];
  return first;
}

Pipeline cut_pipeline(const Profile& profile, const std::vector<std::size_t>& first, Pipeline order,
                      double link_bytes_per_s) {
  Pipeline pipeline = std::move(order);
  const auto share = 1 / static_cast<double>(pipeline.microbatches);
  for (std::size_t s = 0; s < first.size(); ++s) {
    const std::size_t end = s + 1 < first.size() ? first[s + 1] : profile.layers.size();
    double forward = 0;
    double backward = 0;
    for (std::size_t i = first[s]; i < end; ++i) {
      forward += profile.layers[i].forward_s * share;
      backward += profile.layers[i].backward_s * share;
    }
    pipeline.forward.push_back(forward);
    pipeline.backward.push_back(backward);
    if (end == profile.layers.size()) continue;
    const double bytes = profile.layers[end - 1].activation_bytes * share;
    pipeline.transfer = std::max(pipeline.transfer, bytes / link_bytes_per_s);
  }
  return pipeline;
}

Graph build_pipeline(const GraphRequest& request) {
  const TomlTable& table = request.table;
  table.allow_only({"kind", "profile", "snapshot", "batch", "profile_batch", "without_weights",
                    "microbatches", "schedule", "chunks", "cut_for"});
  const Profile profile = read_profile_of(table, request.hardware);
  const Pipeline order = read_pipeline(table, request.cluster);
  const auto stages = static_cast<std::size_t>(order.devices * order.chunks);
  const std::vector<std::size_t> first = balanced_cut(
      table.has("cut_for") ? read_profile_of(table, table.name("cut_for")) : profile, stages);
  return pipeline_graph(cut_pipeline(profile, first, order, request.cluster.link_bytes_per_s),
                        table.file());
}

}  // namespace td::job
