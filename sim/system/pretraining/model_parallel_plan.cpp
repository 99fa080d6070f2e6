// SPDX-License-Identifier: Apache-2.0
#include "sim/system/pretraining/model_parallel_plan.hpp"

#include <fmt/format.h>

#include "sim/system/pipeline/pipeline_memory.hpp"
#include "sim/system/pretraining/model_parallel.hpp"
#include "sim/system/pretraining/pretraining_plan.hpp"

namespace td::job {
namespace {

constexpr std::int64_t kMostCount = 1 << 20;

/// Refuses a value of `key` that does not divide what is shared.
void divides(const TomlTable& table, const char* key, double whole, std::int64_t parts,
             const char* what) {
  const auto count = static_cast<std::int64_t>(whole);
  if (count % parts != 0)
    table.fail(key, fmt::format("so that {} divides {} {}", parts, count, what));
}

ModelParallelJob read_job(const TomlTable& table, const Cluster& cluster) {
  ModelParallelJob job;
  job.layers.network = read_encoder_network(table);
  job.layers.sequence = table.number("sequence", 1, job.layers.network.positions);
  const std::int64_t microbatch = table.integer("microbatch", 1, kMostCount);
  job.layers.microbatch = static_cast<double>(microbatch);
  job.layers.machine = read_encoder_machine(table, cluster, job.layers.sequence, "");
  job.layers.switches.mixed_precision = job.layers.switches.fused_kernels = true;
  job.batch = table.integer("batch", 1, kMostCount);
  job.shards = table.integer("shards", 1, job.layers.machine.of_node);
  job.stages = table.integer("stages", 1, kMostCount);
  job.chunks = table.integer("chunks", 1, kMostCount);
  const EncoderNetwork& network = job.layers.network;
  divides(table, "shards", network.heads, job.shards, "heads");
  divides(table, "shards", static_cast<double>(job.layers.machine.of_node), job.shards,
          "accelerators of a node");
  divides(table, "stages", static_cast<double>(cluster.accelerators), job.shards * job.stages,
          "accelerators");
  divides(table, "chunks", network.layers, job.stages * job.chunks, "layers");
  divides(table, "batch", static_cast<double>(job.batch), job.replicas() * microbatch, "sequences");
  return job;
}

Plan shares_of(const ModelParallelStep& step) {
  const double percent = 100 / step.seconds();
  return {{"products", percent * step.products}, {"elementwise", percent * step.elementwise},
          {"split", percent * step.split},       {"waits", percent * step.waits},
          {"exchange", percent * step.exchange}, {"update", percent * step.update}};
}

Plan plan_of(const ModelParallelJob& job, const std::string& source) {
  constexpr double tera = 1e12;
  const EncoderNetwork& network = job.layers.network;
  const ModelParallelStep step = model_parallel_step(job, source);
  const double flop =
      flop_per_iteration({network.layers, network.hidden, network.vocabulary, job.layers.sequence},
                         static_cast<double>(job.batch));
  const double rate = flop / step.seconds() / tera;
  return {
      {"parameters", parameters_of(network)},
      {"replicas", job.replicas()},
      {"microbatches", job.microbatches()},
      {"step_s", step.seconds()},
      {"sequences_per_s", static_cast<double>(job.batch) / step.seconds()},
      {"tflop_per_s", rate},
      {"tflop_per_s_of_accelerator", rate / static_cast<double>(job.layers.machine.accelerators)},
      {"percent_of_time", shares_of(step)}};
}

}  // namespace

Plan plan_model_parallel(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind", "layers", "hidden", "heads", "vocabulary", "positions",
                    "half_tflop_per_s", "memory_gb_per_s", "launch_s", "of_node",
                    "inner_gbit_per_s", "sequence", "microbatch", "batch", "shards", "stages",
                    "chunks"});
  return plan_of(read_job(table, cluster), table.file());
}

}  // namespace td::job
