// SPDX-License-Identifier: Apache-2.0
// Steps of encoder networks: sizes, sums by hand, and switches that never cost time.
#include <doctest/doctest.h>

#include <random>

#include "sim/system/graph/execution.hpp"
#include "sim/system/pretraining/encoder.hpp"
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
