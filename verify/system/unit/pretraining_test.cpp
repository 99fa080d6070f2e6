// SPDX-License-Identifier: Apache-2.0
// Steps of encoder networks: sizes, sums by hand, and switches that never cost time.
#include <doctest/doctest.h>

#include <random>

#include "sim/system/graph/execution.hpp"
#include "sim/system/pipeline/pipeline_memory.hpp"
#include "sim/system/pretraining/encoder.hpp"
#include "sim/system/pretraining/model_parallel.hpp"
#include "verify/system/unit/random_graph.hpp"

namespace {

using td::job::EncoderJob;
using td::job::EncoderSwitches;

EncoderJob random_job(std::mt19937& random) {
  const auto draw = [&random](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  EncoderJob job;
  job.network = {std::floor(draw(1, 30)), 64 * std::floor(draw(4, 20)), 16, 30000, 512};
  job.machine.single_flop_per_s = draw(1e11, 1e13);
  job.machine.half_flop_per_s = job.machine.single_flop_per_s * draw(1, 8);
  job.machine.memory_bytes_per_s = draw(5e10, 1e12);
  job.machine.launch_s = draw(0, 1e-5);
  job.machine.of_node = static_cast<std::int64_t>(draw(1, 9));
  job.machine.accelerators = job.machine.of_node * static_cast<std::int64_t>(draw(1, 40));
  job.machine.inner_bytes_per_s = draw(1e9, 1e11);
  job.machine.link_bytes_per_s = draw(1e8, 1e10);
  job.sequence = draw(64, 512);
  job.microbatch = std::floor(draw(1, 32));
  job.switches = {draw(0, 1) < 0.5, draw(0, 1) < 0.5, draw(0, 1) < 0.5,
                  static_cast<std::int64_t>(draw(1, 9))};
  return job;
}

double rate(EncoderJob job, const EncoderSwitches& switches) {
  job.switches = switches;
  return sequences_per_s(job, "test");
}

}  // namespace

TEST_CASE("pretraining: BERT-large has the parameters and operations of its size") {
  EncoderJob job;
  CHECK(td::job::parameters_of(job.network) == doctest::Approx(334e6).epsilon(0.01));
  job.microbatch = 8;
  // Products of an encoder layer: three of h·h for Q, K, V, one out of attention, two of h·4h.
  const double tokens = 8 * 128, h = 1024;
  const double by_hand = 2 * tokens * (4 * h * h + 8 * h * h) + 2 * 2 * 8 * (128.0 * 128 * h);
  CHECK(layer_flop(job) == doctest::Approx(by_hand));
}

TEST_CASE("pretraining: one accelerator without launches and memory does products only") {
  EncoderJob job;
  job.machine = {2e12, 1e12, 1e30, 0, 1, 1, 1, 1};
  job.microbatch = 4;
  job.switches.accumulation = 3;
  const double products_s = 3 * 3 * 24 * layer_flop(job) / 1e12;
  CHECK(sequences_per_s(job, "test") == doctest::Approx(12 / products_s));
  job.switches.mixed_precision = true;
  CHECK(sequences_per_s(job, "test") == doctest::Approx(2 * 12 / products_s));
  job.switches.overlap = true;  // there is nobody to send to
  CHECK(sequences_per_s(job, "test") == doctest::Approx(2 * 12 / products_s));
}

TEST_CASE("pretraining: an exchange that nothing hides is the two rings' time") {
  EncoderJob job;
  job.machine = {1e30, 1e30, 1e30, 0, 256, 8, 8e9, 1.25e9};
  const double bytes = 4 * td::job::parameters_of(job.network);
  const double seconds = 2 * 7 / 8.0 * bytes / 8e9 + 2 * 31 / 32.0 * bytes / 1.25e9;
  CHECK(256 * job.microbatch / sequences_per_s(job, "test") == doctest::Approx(seconds));
}

TEST_CASE("pretraining: no switch ever costs time, and schedules are sound") {
  std::mt19937 random(51);
  for (int i = 0; i < 150; ++i) {
    const EncoderJob job = random_job(random);
    const td::job::Graph graph = encoder_step(job, "test");
    const td::job::Schedule schedule = execute(graph);
    CHECK(td::unit::schedule_fault(graph, schedule) == "");
    // The update is the last task of a step: it waits for all gradients.
    CHECK(schedule.makespan == schedule.end[graph.tasks().size() - 1]);
    EncoderSwitches on = job.switches;
    const double before = rate(job, on) * (1 - 1e-12);
    on.mixed_precision = true;
    CHECK(rate(job, on) >= before);
    on = job.switches;
    on.fused_kernels = true;
    CHECK(rate(job, on) >= before);
    on = job.switches;
    on.overlap = true;
    CHECK(rate(job, on) >= before);
    on = job.switches;
    on.accumulation *= 2;
    CHECK(rate(job, on) >= before);
  }
}

namespace {

/// Eight layers, one sequence a microbatch, with links and memory that take no time.
td::job::ModelParallelJob model_parallel(std::int64_t shards, std::int64_t stages,
                                         std::int64_t chunks, std::int64_t replicas) {
  td::job::ModelParallelJob job;
  job.layers.network = {8, 512, 8, 1024, 256};
  job.layers.machine = {1e12, 1e12, 1e30, 0, shards * stages * replicas, 8, 1e30, 1e30};
  job.layers.switches.mixed_precision = true;
  job.layers.sequence = 256;
  job.shards = shards;
  job.stages = stages;
  job.chunks = chunks;
  job.batch = 16 * replicas;
  return job;
}

}  // namespace

TEST_CASE(
    "model parallel: whole, a step is the paper's operations; shards and replicas divide it") {
  const double flop = td::job::flop_per_iteration({8, 512, 1024, 256}, 16);
  const auto seconds = [](std::int64_t shards, std::int64_t replicas) {
    return model_parallel_step(model_parallel(shards, 1, 1, replicas), "test").seconds();
  };
  CHECK(seconds(1, 1) == doctest::Approx(flop / 1e12));
  CHECK(seconds(8, 1) == doctest::Approx(flop / 1e12 / 8));
  CHECK(seconds(2, 4) == doctest::Approx(flop / 1e12 / 2));
}

TEST_CASE("model parallel: stages of layers alone wait as the schedule's formula has it") {
  for (const std::int64_t chunks : {1, 2}) {
    td::job::ModelParallelJob job = model_parallel(1, 4, chunks, 1);
    job.layers.network.vocabulary = 0;
    const td::job::ModelParallelStep step = model_parallel_step(job, "test");
    CHECK(step.waits / step.products == doctest::Approx(3.0 / (16 * static_cast<double>(chunks))));
  }
}

TEST_CASE("model parallel: sums within a node and exchanges between nodes are rings by hand") {
  td::job::ModelParallelJob job = model_parallel(4, 1, 1, 6);
  job.layers.machine.inner_bytes_per_s = 1e9;
  job.layers.machine.link_bytes_per_s = 4e8;  // of four shards: a tenth of the inner one
  const td::job::ModelParallelStep step = model_parallel_step(job, "test");
  // Two sums of each layer, forward, again and backward.
  const double sums = 16 * 8 * 3 * 2;
  CHECK(step.split == doctest::Approx(sums * 2 * 3 / 4.0 * 2 * 256 * 512 / 1e9));
  // Two replicas in a node, three nodes.
  const double bytes = 2 * td::job::parameters_of(job.layers.network) / 4;
  CHECK(step.exchange == doctest::Approx(bytes / 1e9 + 2 * 2 / 3.0 * bytes / 1e8));
}
